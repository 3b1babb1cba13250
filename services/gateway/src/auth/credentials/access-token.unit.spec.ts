import { describe, expect, it } from 'vitest';
import { keyOfWeb } from '../sessions/session-key.js';
import { accessTokens } from './access-token.js';
import { mediaTokens } from './media-token.js';
import { userId } from '@continuo/contracts';

const SECRET = 'a secret of at least thirty-two characters';
const NOON = 1_700_000_000_000;
const LIFETIME_MS = 900_000;
const session = keyOfWeb('a'.repeat(80));

describe('an access token', () => {
  let nowMs = NOON;
  const tokens = accessTokens(SECRET, () => nowMs);
  const { token, expiresAtMs } = tokens.sign(session);

  it('names its session, which no gateway has to be asked about, and not the token of its cookie', () => {
    expect(accessTokens(SECRET, () => NOON).check(token)).toBe(session);
    expect(token).not.toContain('aaaa');
  });

  const [, digest = '', end = '', mark = ''] = token.split('-');
  it.each([
    ['for another session', `a-${'0'.repeat(64)}-${end}-${mark}`],
    ['for longer', `a-${digest}-zzzzzzzz-${mark}`],
    ['with another mark', `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
    ['without a mark', `a-${digest}-${end}`],
    ['in capitals', token.toUpperCase()],
    ['with something behind it', `${token}0`],
    ['of another server', accessTokens('another secret of thirty-two chars', () => NOON).sign(session).token],
    ['of another kind', mediaTokens(SECRET, () => NOON).sign({ userId: userId.parse(1) })],
    ['that is empty', ''],
  ])('%s opens nothing', (_, forged) => {
    expect(tokens.check(forged)).toBeUndefined();
    expect(tokens.isOurs(forged)).toBe(false);
  });

  it('opens nothing after a quarter of an hour, and still tells that it was made here', () => {
    expect(expiresAtMs).toBe(NOON + LIFETIME_MS);
    nowMs = expiresAtMs - 1;
    expect(tokens.check(token)).toBe(session);
    nowMs = expiresAtMs;
    expect(tokens.check(token)).toBeUndefined();
    expect(tokens.isOurs(token)).toBe(true);
  });
});
