import { defencesOf, type Defence } from '../defence.js';

const checks = 'gateway/src/auth/credentials/credential-checks.ts';
const nativeAuth = 'gateway/src/auth/native-auth.unit.spec.ts';
const compatAuth = 'gateway/src/auth/compat-auth.unit.spec.ts';
const guesses = 'gateway/test/access-matrix/guesses.int.spec.ts';
const signIn = 'gateway/src/apis/account-page/sign-in.int.spec.ts';
const provider = 'gateway/src/apis/account-page/provider/provider.int.spec.ts';
const social = 'social/src/config.unit.spec.ts';

/** Rows 13 to 15: guesses of credentials, in the one place that checks and counts all of them. */
export const guessDefences: readonly Defence[] = defencesOf([
  [
    15,
    'guess credentials of any kind, at any address of the server',
    checks,
    'if (found === undefined) await this.throttle.failed(attempt);\n    else this.throttle.succeeded(attempt);',
    'if (found !== undefined) this.throttle.succeeded(attempt);',
    [nativeAuth, compatAuth, signIn, provider, guesses],
  ],
  [15, 'go on guessing during a delay', checks, 'if (delayMs > 0) return { delayMs };', '', [nativeAuth, compatAuth, guesses]],
  [
    15,
    'have a success of somebody else give further guesses',
    'gateway/src/auth/throttle/login-throttle.ts',
    'return attempt.keyId === undefined ? remainingMs(pairKey(attempt), limits.failuresPerAccount) : 0;',
    'return 0;',
    nativeAuth,
  ],
  [
    15,
    'lock an owner out by guessing from elsewhere',
    'gateway/src/auth/throttle/login-throttle.ts',
    'if (goodPairs.has(pairOf(attempt))) {',
    'if (false) {',
    nativeAuth,
  ],
  [
    15,
    'lock an address out by guessing beside its sessions',
    checks,
    "if (holder === 'unguessable') return { found, delayMs: 0 };",
    '',
    nativeAuth,
  ],
  [
    15,
    'lock an address out by tokens that have ended',
    checks,
    'if (found === undefined && isOver?.() === true) return { found, delayMs: 0 };',
    '',
    [nativeAuth, guesses],
  ],
  [
    15,
    'lock an address out by a cookie that has ended',
    'gateway/src/auth/web-auth.ts',
    'isOver: () => this.identities.isOver(token),',
    '',
    guesses,
  ],
  [
    15,
    'pass a guess of a session or a cookie off as one that has ended',
    'gateway/src/auth/sessions/session-token.ts',
    'return isMark(token.slice(0, -MARK_DIGITS), token.slice(-MARK_DIGITS));',
    'return true;',
    [nativeAuth, guesses],
  ],
  [
    3,
    'log in to the compatibility API as a disabled account',
    'gateway/src/auth/compat-auth.ts',
    'const stored = known && !known.account.disabled ? known : identities.nobody;',
    'const stored = known ?? identities.nobody;',
    compatAuth,
  ],
  [
    3,
    'find the token of a session in the address of a picture',
    'gateway/src/apis/native/objects/context.ts',
    '&auth=${encode(caller.artToken)}',
    '&auth=${encode(caller.mediaToken)}',
    'gateway/src/apis/native/native.unit.spec.ts',
  ],
  [13, 'have a short API key for the administrator', 'social/src/config.ts', '.min(KEY_CHARACTERS, `needs', '.min(1, `needs', social],
  [
    13,
    'have an API key of few characters for the administrator',
    'social/src/config.ts',
    'estimatedBits(key) >= KEY_BITS',
    'estimatedBits(key) >= 0',
    social,
  ],
]);
