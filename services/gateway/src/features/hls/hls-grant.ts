import { signer, type ServerSecret } from '@continuo/chassis';
import { hourlyTokens, type HourlyTokens } from '../../server/hourly-tokens.js';

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
export type HlsTokens = HourlyTokens<HlsGrant>;

/** A long film, with a pause for dinner. */
const LIFETIME_HOURS = 12;
const NUMBER = String.raw`[1-9]\d{0,9}`;
const FORM = new RegExp(
  `^(?<kind>[sve])-(?<id>${NUMBER})-(?<user>${NUMBER})-(?<sound>[1-9]\\d{0,3})-(?<track>\\d{1,2})` +
    `(?:-(?<width>[1-9]\\d{1,3})x(?<height>[1-9]\\d{1,3})-(?<picture>[1-9]\\d{0,5}))?$`,
);

const bodyOf = ({ kind, id, userId, soundKbps, audioTrack, picture }: HlsGrant): string => {
  const shown = picture ? `-${picture.widthPx}x${picture.heightPx}-${picture.kbps}` : '';
  return `${letters[kind]}-${id}-${userId}-${soundKbps}-${audioTrack}${shown}`;
};

const grantOf = (body: string): HlsGrant | undefined => {
  const parts = FORM.exec(body)?.groups;
  if (!parts) return undefined;
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
export const hlsTokens = (secret: ServerSecret, now: () => number): HlsTokens =>
  hourlyTokens(signer(secret, 'hls-tokens/v1', 40), now, { lifetimeHours: LIFETIME_HOURS, write: bodyOf, read: grantOf });
