import { signer, type ServerSecret } from '@continuo/chassis';

/** What a token opens: to be played, to be kept, or to be looked at (the picture of the share itself, without anything in it). */
export type ShareUse = 'play' | 'download' | 'art';

/** What a token is for. */
export interface ShareGrant {
  readonly shareId: number;
  /** A video in a share of videos and an episode in one of podcasts, which stay so, else a song; 0 for the share's picture. */
  readonly itemId: number;
  readonly use: ShareUse;
}

/** Signs and checks the tokens in the public page of a share. */
export interface ShareTokens {
  /** The same text all through an hour, so that what a browser keeps stays good. */
  sign(grant: ShareGrant): string;
  /** What a token opens; undefined when it was not made here, was changed or is over. */
  check(token: string): ShareGrant | undefined;
}

const HOUR_MS = 3_600_000;
/** A page that was opened in the morning still plays in the afternoon. */
const LIFETIME_HOURS = 8;
const FORM = /^s(?<use>[pda])-(?<share>[1-9]\d{0,9})-(?<item>0|[1-9]\d{0,9})-(?<hour>[a-z0-9]{1,8})-(?<mark>[0-9a-f]{40})$/;
const letters = { play: 'p', download: 'd', art: 'a' } as const satisfies Record<ShareUse, string>;
const uses: Readonly<Record<string, ShareUse>> = { p: 'play', d: 'download', a: 'art' };

/** Tokens under a key derived from the server's secret; each is good for one share, one thing in it and one use. */
export const shareTokens = (secret: ServerSecret, now: () => number): ShareTokens => {
  const { mark: markOf, isMark } = signer(secret, 'share-tokens/v1', 40);
  return {
    sign: ({ shareId, itemId, use }) => {
      const hour = Math.floor(now() / HOUR_MS) + LIFETIME_HOURS;
      const body = `s${letters[use]}-${shareId}-${itemId}-${hour.toString(36)}`;
      return `${body}-${markOf(body)}`;
    },
    check: (token) => {
      const parts = FORM.exec(token)?.groups;
      if (!parts) return undefined;
      const { use: letter = '', share = '', item = '', hour = '', mark = '' } = parts;
      if (!isMark(`s${letter}-${share}-${item}-${hour}`, mark)) return undefined;
      if (Number.parseInt(hour, 36) * HOUR_MS <= now()) return undefined;
      const use = uses[letter];
      return use && { shareId: Number(share), itemId: Number(item), use };
    },
  };
};
