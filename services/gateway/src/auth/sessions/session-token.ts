import { randomToken, signer, type ServerSecret } from '@continuo/chassis';
import { SESSION_TOKEN, WEB_TOKEN } from './session-key.js';

/** Tokens of sessions: random digits and a mark of this server's. The mark opens nothing; it tells the token of an ended session from a guess. */
export interface SessionTokens {
  /** A token for a session of the APIs. */
  forApi(): string;
  /** A token for a session of the web page. */
  forWeb(): string;
  /** True for a token that this server gave out, whether or not its session still lives. */
  isOurs(token: string): boolean;
}

const WEB_BITS = 256;
const MARK_DIGITS = 16;

/** Session tokens under a key derived from the server's secret. */
export const sessionTokens = (secret: ServerSecret): SessionTokens => {
  const { mark, isMark } = signer(secret, 'session-tokens/v1', MARK_DIGITS);
  const marked = (random: string): string => `${random}${mark(random)}`;
  return {
    forApi: () => marked(randomToken()),
    forWeb: () => marked(randomToken(WEB_BITS)),
    isOurs: (token) => {
      if (!SESSION_TOKEN.test(token) && !WEB_TOKEN.test(token)) return false;
      return isMark(token.slice(0, -MARK_DIGITS), token.slice(-MARK_DIGITS));
    },
  };
};
