/** Two-letter prefixes by kind; what stands before the dash of an id on this surface (compat facts, section 3.3). */
export const idPrefixes = {
  artist: 'ar',
  album: 'al',
  song: 'so',
  video: 'vi',
  folder: 'fo',
  genre: 'ta',
  bookmark: 'bo',
  user: 'us',
  playlist: 'pl',
  smartlist: 'sp',
  podcast: 'po',
  episode: 'pe',
  catalog: 'mf',
  station: 'li',
  share: 'sh',
  chat: 'pm',
} as const;

export type CompatKind = keyof typeof idPrefixes;

/** What an id on the wire stands for. */
export interface CompatId {
  readonly kind: CompatKind;
  readonly id: number;
}

const kindByPrefix = new Map<string, CompatKind>(Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind as CompatKind]));

/** Numeric bands of older servers, by the number of hundreds of millions: a cached id still says its kind. */
const BAND = 100_000_000;
const kindByBand: readonly (CompatKind | undefined)[] = [
  undefined,
  'artist',
  'album',
  'song',
  'smartlist',
  'video',
  'podcast',
  'episode',
  'playlist',
];

/** Public ids are positive 32-bit numbers; nothing larger can name a thing. */
const MAX_ID = 0x7fff_ffff;

const PREFIXED = /^([a-z]{2})-(.+)$/i;
const NUMBER = /^\d{1,10}$/;
const DOTTED_QUAD = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** The id of a thing as this surface spells it: `so-12`. */
export const formatId = (kind: CompatKind, id: number): string => `${idPrefixes[kind]}-${id}`;

/** Some Qt clients print a 32-bit number as an address: 300000002 arrives as `17.225.163.2`. */
const quadToNumber = (text: string): number | undefined => {
  const parts = DOTTED_QUAD.exec(text)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) ? parts.reduce((sum, part) => sum * 256 + part, 0) : undefined;
};

const bareNumber = (text: string): number | undefined => {
  const value = NUMBER.test(text) ? Number(text) : quadToNumber(text);
  return value !== undefined && value > 0 && value <= MAX_ID ? value : undefined;
};

const fromNumber = (value: number, fallback: CompatKind | undefined): CompatId | undefined => {
  const kind = value > BAND ? kindByBand[Math.floor(value / BAND)] : undefined;
  if (kind && value % BAND > 0) return { kind, id: value % BAND };
  return fallback && { kind: fallback, id: value };
};

/**
 * Reads an id in any spelling that clients send: `so-12`, `SO-12`, a second prefix in front (`pl-pl-3`), an old numeric band, a dotted quad,
 * or a bare number, which means `fallback`. Undefined when it cannot be an id of this server.
 */
export const parseId = (text: string, fallback?: CompatKind): CompatId | undefined => {
  const [, prefix, rest] = PREFIXED.exec(text.trim()) ?? [];
  if (prefix === undefined || rest === undefined) {
    const value = bareNumber(text.trim());
    return value === undefined ? undefined : fromNumber(value, fallback);
  }
  const kind = kindByPrefix.get(prefix.toLowerCase());
  if (PREFIXED.test(rest)) return kind && parseId(rest);
  const id = bareNumber(rest);
  return kind && id !== undefined ? { kind, id } : undefined;
};

/** The number behind an id of one kind; undefined for an id of another kind. */
export const parseIdOf = (kind: CompatKind, text: string): number | undefined => {
  const parsed = parseId(text, kind);
  return parsed?.kind === kind ? parsed.id : undefined;
};
