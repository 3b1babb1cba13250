import { signer, type ServerSecret } from '@continuo/chassis';

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
export interface ShareTokens {
  /** Signs a grant; the token is the same for an hour, so that browsers can cache by it. */
  sign(grant: ShareGrant): string;
  /** Verifies a token; undefined when it is forged or expired. */
  check(token: string): ShareGrant | undefined;
  /** True for a token signed here, also when it expired. */
  isOurs(token: string): boolean;
}

const HOUR_MS = 3_600_000;
/** A page opened in the morning still plays in the afternoon. */
const LIFETIME_HOURS = 8;
const FORM = /^s(?<use>[pda])-(?<share>[1-9]\d{0,9})-(?<item>0|[1-9]\d{0,9})-(?<hour>[a-z0-9]{1,8})-(?<mark>[0-9a-f]{40})$/;
const letters = { play: 'p', download: 'd', art: 'a' } as const satisfies Record<ShareUse, string>;
const uses: Readonly<Record<string, ShareUse>> = { p: 'play', d: 'download', a: 'art' };

/** Tokens signed with a key derived from the server's secret; each is valid for one share, one item and one use. */
export const shareTokens = (secret: ServerSecret, now: () => number): ShareTokens => {
  const { mark: markOf, isMark } = signer(secret, 'share-tokens/v1', 40);
  const read = (token: string): { readonly grant: ShareGrant; readonly hour: string } | undefined => {
    const { use: letter = '', share = '', item = '', hour = '', mark } = FORM.exec(token)?.groups ?? {};
    if (mark === undefined || !isMark(`s${letter}-${share}-${item}-${hour}`, mark)) return undefined;
    const use = uses[letter];
    return use && { grant: { shareId: Number(share), itemId: Number(item), use }, hour };
  };
  return {
    sign: ({ shareId, itemId, use }) => {
      const hour = Math.floor(now() / HOUR_MS) + LIFETIME_HOURS;
      const body = `s${letters[use]}-${shareId}-${itemId}-${hour.toString(36)}`;
      return `${body}-${markOf(body)}`;
    },
    check: (token) => {
      const parts = read(token);
      return parts && Number.parseInt(parts.hour, 36) * HOUR_MS > now() ? parts.grant : undefined;
    },
    isOurs: (token) => read(token) !== undefined,
  };
};
