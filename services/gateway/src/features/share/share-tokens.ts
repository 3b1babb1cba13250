import { signer, type ServerSecret } from '@continuo/chassis';
import { hourlyTokens, type HourlyTokens } from '../../server/hourly-tokens.js';

/** Use of a token: to play an item, to download it, or to show the share's picture. */
export type ShareUse = 'play' | 'download' | 'art';

/** Content of a token. */
export interface ShareGrant {
  readonly shareId: number;
  /** A song, or by the kind of share a video or an episode; 0 for the share's picture. */
  readonly itemId: number;
  readonly use: ShareUse;
}

/** Signs and checks the tokens in the public page of a share. */
export type ShareTokens = HourlyTokens<ShareGrant>;

/** A page opened in the morning still plays in the afternoon. */
const LIFETIME_HOURS = 8;
const FORM = /^s(?<use>[pda])-(?<share>[1-9]\d{0,9})-(?<item>0|[1-9]\d{0,9})$/;
const letters = { play: 'p', download: 'd', art: 'a' } as const satisfies Record<ShareUse, string>;
const uses: Readonly<Record<string, ShareUse>> = { p: 'play', d: 'download', a: 'art' };

/** Tokens signed with a key derived from the server's secret; each is valid for one share, one item and one use. */
export const shareTokens = (secret: ServerSecret, now: () => number): ShareTokens =>
  hourlyTokens(signer(secret, 'share-tokens/v1', 40), now, {
    lifetimeHours: LIFETIME_HOURS,
    write: ({ shareId, itemId, use }) => `s${letters[use]}-${shareId}-${itemId}`,
    read: (body) => {
      const { use: letter = '', share, item } = FORM.exec(body)?.groups ?? {};
      const use = uses[letter];
      return use && { shareId: Number(share), itemId: Number(item), use };
    },
  });
