/** Id prefixes by kind. */
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

/** A parsed id. */
export interface CompatId {
  readonly kind: CompatKind;
  readonly id: number;
}

const kindByPrefix = new Map<string, CompatKind>(Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind as CompatKind]));

/** Numeric id bands of older servers: hundreds of millions by kind, which clients may have cached. */
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

/** Ids are positive 32-bit numbers. */
const MAX_ID = 0x7fff_ffff;

const PREFIXED = /^([a-z]{2})-(.+)$/i;
const NUMBER = /^\d{1,10}$/;
const DOTTED_QUAD = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Formats an id: `so-12`. */
export const formatId = (kind: CompatKind, id: number): string => `${idPrefixes[kind]}-${id}`;

/** Parses a dotted quad: some Qt clients print the number 300000002 as `17.225.163.2`. */
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
 * Parses an id in any spelling that clients send: `so-12`, `SO-12`, a doubled prefix (`pl-pl-3`), an old numeric band, a dotted quad, or a
 * bare number of kind `fallback`. Undefined for an invalid id.
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

/** Number of an id of one kind; undefined for other kinds. */
export const parseIdOf = (kind: CompatKind, text: string): number | undefined => {
  const parsed = parseId(text, kind);
  return parsed?.kind === kind ? parsed.id : undefined;
};
