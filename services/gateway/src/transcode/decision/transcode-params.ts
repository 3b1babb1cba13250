import { jsonOf, signer, type ServerSecret } from '@continuo/chassis';
import { transcodeTarget, type TranscodeTarget } from '@continuo/contracts';
import { z } from 'zod';

/** Content of a token: target, medium and account. */
export interface TranscodeGrant {
  /** Public id, `so-12`. */
  readonly mediaId: string;
  readonly userId: number;
  readonly target: TranscodeTarget;
}

/** Makes and checks the `transcodeParams` of the compatibility API. */
export interface TranscodeParams {
  sign(grant: TranscodeGrant): string;
  /** Returns the target of a token for this medium and account; undefined for a forged, changed or expired one. */
  check(token: string, of: Pick<TranscodeGrant, 'mediaId' | 'userId'>): TranscodeTarget | undefined;
}

const HOUR_MS = 3_600_000;
/** A client decides once and plays for an evening. */
const LIFETIME_HOURS = 48;
const MARK_LENGTH = 40;
const FORM = /^(?<body>[\w-]{1,2000})\.(?<mark>[0-9a-f]{40})$/;
const content = z.tuple([z.string(), z.int(), z.int(), transcodeTarget]);

const decoded = (body: string): z.output<typeof content> | undefined => content.safeParse(jsonOf(Buffer.from(body, 'base64url'))).data;

/** Tokens under a key derived from the server's secret, which every gateway checks; the same text all through an hour. */
export const transcodeParams = (secret: ServerSecret, now: () => number): TranscodeParams => {
  const { mark: markOf, isMark } = signer(secret, 'transcode-params/v1', MARK_LENGTH);
  return {
    sign: ({ mediaId, userId, target }) => {
      const lastHour = Math.floor(now() / HOUR_MS) + LIFETIME_HOURS;
      const body = Buffer.from(JSON.stringify([mediaId, userId, lastHour, target])).toString('base64url');
      return `${body}.${markOf(body)}`;
    },
    check: (token, of) => {
      const { body = '', mark = '' } = FORM.exec(token)?.groups ?? {};
      if (!isMark(body, mark)) return undefined;
      const [mediaId, userId, lastHour, target] = decoded(body) ?? [];
      const isTheirs = mediaId === of.mediaId && userId === of.userId;
      return isTheirs && lastHour !== undefined && lastHour * HOUR_MS > now() ? target : undefined;
    },
  };
};
