import { signer, type ServerSecret } from '@continuo/chassis';

/** Kinds of what HLS plays, with the letter that each has in tokens. */
const letters = { song: 's', video: 'v', episode: 'e' } as const;
/** See {@link letters}. */
export type HlsKind = keyof typeof letters;
const kinds: Readonly<Record<string, HlsKind>> = { s: 'song', v: 'video', e: 'episode' };

/** True for a kind that HLS plays. */
export const isHlsKind = (kind: string): kind is HlsKind => Object.hasOwn(letters, kind);

/** Content of an HLS token: everything that decides the bytes of the segments. */
export interface HlsGrant {
  readonly kind: HlsKind;
  readonly id: number;
  /** Account whose permissions apply: when it may not see the medium any more, the URL stops working. */
  readonly userId: number;
  /** Of the sound, kbit/s. */
  readonly soundKbps: number;
  /** Counted from 0. */
  readonly audioTrack: number;
  /** Absent for sound alone. The picture is fitted into the box. */
  readonly picture?: { readonly widthPx: number; readonly heightPx: number; readonly kbps: number };
}

/** Signs and checks the addresses of HLS lists and segments, so that players need no credentials for them. */
export interface HlsTokens {
  /** The same text all through an hour, so that what a player or a cache keeps stays good. */
  sign(grant: HlsGrant): string;
  /** Returns the grant of a token; undefined for a forged, changed or expired one. */
  check(token: string): HlsGrant | undefined;
  /** True for a token that was made here, be it over. */
  isOurs(token: string): boolean;
}

const HOUR_MS = 3_600_000;
/** A long film, with a pause for dinner. */
const LIFETIME_HOURS = 12;
const NUMBER = String.raw`[1-9]\d{0,9}`;
const FORM = new RegExp(
  `^(?<kind>[sve])-(?<id>${NUMBER})-(?<user>${NUMBER})-(?<sound>[1-9]\\d{0,3})-(?<track>\\d{1,2})` +
    `(?:-(?<width>[1-9]\\d{1,3})x(?<height>[1-9]\\d{1,3})-(?<picture>[1-9]\\d{0,5}))?-(?<hour>[a-z0-9]{1,8})-(?<mark>[0-9a-f]{40})$`,
);

const bodyOf = ({ kind, id, userId, soundKbps, audioTrack, picture }: HlsGrant, hour: string): string => {
  const shown = picture ? `-${picture.widthPx}x${picture.heightPx}-${picture.kbps}` : '';
  return `${letters[kind]}-${id}-${userId}-${soundKbps}-${audioTrack}${shown}-${hour}`;
};

const grantOf = (parts: Readonly<Record<string, string | undefined>>): HlsGrant => {
  const number = (name: string): number => Number(parts[name]);
  return {
    kind: kinds[parts['kind'] ?? ''] ?? 'song',
    id: number('id'),
    userId: number('user'),
    soundKbps: number('sound'),
    audioTrack: number('track'),
    ...(parts['width'] === undefined ? {} : { picture: { widthPx: number('width'), heightPx: number('height'), kbps: number('picture') } }),
  };
};

/** Tokens under a key derived from the server's secret; each is good for one medium, one account, one set of settings, for some hours. */
export const hlsTokens = (secret: ServerSecret, now: () => number): HlsTokens => {
  const { mark: markOf, isMark } = signer(secret, 'hls-tokens/v1', 40);
  const read = (token: string): { readonly grant: HlsGrant; readonly hour: string } | undefined => {
    const parts = FORM.exec(token)?.groups;
    if (!parts) return undefined;
    const { hour = '', mark = '' } = parts;
    const grant = grantOf(parts);
    return isMark(bodyOf(grant, hour), mark) ? { grant, hour } : undefined;
  };
  return {
    sign: (grant) => {
      const body = bodyOf(grant, (Math.floor(now() / HOUR_MS) + LIFETIME_HOURS).toString(36));
      return `${body}-${markOf(body)}`;
    },
    check: (token) => {
      const parts = read(token);
      return parts && Number.parseInt(parts.hour, 36) * HOUR_MS > now() ? parts.grant : undefined;
    },
    isOurs: (token) => read(token) !== undefined,
  };
};
