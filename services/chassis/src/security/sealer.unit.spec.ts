import { describe, expect, it } from 'vitest';
import { keyedDigest, sameDigest, sameText, sha256Hex } from './digest.js';
import { randomToken } from './random-token.js';
import { credentialSealer, keySealer, purposeKey, SealBroken, secretSealer } from './sealer.adapter.js';

const SECRET = 'a secret of at least thirty-two characters';

describe('secretSealer', () => {
  const sealer = secretSealer(SECRET, 'test');

  it('opens what it sealed, whatever the text', () => {
    for (const text of ['', 'sesame', 'пароль 密码 \u{1f511}', 'x'.repeat(100_000)]) expect(sealer.open(sealer.seal(text))).toBe(text);
  });

  it('has the published form and never the same text twice', () => {
    const [one, two] = [sealer.seal('sesame'), sealer.seal('sesame')];
    expect(one).toMatch(/^v1\.[\w-]{16}\.[\w-]{8}\.[\w-]{22}$/);
    expect(one).not.toBe(two);
  });

  it('refuses what was changed, sealed under another key, or never sealed', () => {
    const sealed = sealer.seal('sesame');
    const [v, iv, text, tag] = sealed.split('.') as [string, string, string, string];
    const flipped = text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`;
    const shortTag = Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url');
    for (const bad of [
      [v, iv, flipped, tag],
      [v, iv, text, shortTag],
      ['v2', iv, text, tag],
      [v, iv, text],
      [v, iv, text, tag, tag],
    ])
      expect(() => sealer.open(bad.join('.'))).toThrow(SealBroken);
    expect(() => sealer.open('sesame')).toThrow(SealBroken);
    expect(() => secretSealer(`${SECRET}!`, 'test').open(sealed)).toThrow(SealBroken);
    expect(() => secretSealer(SECRET, 'other').open(sealed)).toThrow(SealBroken);
  });

  it('gives every service with the same secret the same credential sealer', () => {
    expect(credentialSealer(SECRET).open(credentialSealer(SECRET).seal('sesame'))).toBe('sesame');
    expect(() => keySealer(new Uint8Array(16))).toThrow(RangeError);
    expect(purposeKey(SECRET, 'a')).not.toEqual(purposeKey(SECRET, 'b'));
  });
});

describe('digests and tokens', () => {
  it('computes SHA-256 over UTF-8', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('digests under the secret and the purpose', () => {
    expect(keyedDigest(SECRET, 'a')('ada')).toBe(keyedDigest(SECRET, 'a')('ada'));
    expect(keyedDigest(SECRET, 'a')('ada')).not.toBe(keyedDigest(SECRET, 'b')('ada'));
    expect(keyedDigest(SECRET, 'a')('ada')).not.toBe(keyedDigest(`${SECRET}!`, 'a')('ada'));
  });

  it('compares texts of any length', () => {
    expect(sameText('sesame', 'sesame')).toBe(true);
    expect(sameText('sesame', 'sesam')).toBe(false);
    expect(sameText('', 'x')).toBe(false);
  });

  it('compares digests, and takes no text of another length for one', () => {
    const digest = sha256Hex('sesame');
    expect(sameDigest(digest, sha256Hex('sesame'))).toBe(true);
    for (const other of [sha256Hex('sesam'), digest.slice(1), `${digest}0`, `${digest.slice(2)}é`, ''])
      expect(sameDigest(digest, other)).toBe(false);
  });

  it('makes tokens of at least 128 bits', () => {
    expect(randomToken()).toMatch(/^[0-9a-f]{32}$/);
    // Halves that come twice, in one token or in two, would be fewer bits than their digits hold.
    const halves = Array.from({ length: 100 }, () => randomToken()).flatMap((token) => [token.slice(0, 16), token.slice(16)]);
    expect(new Set(halves).size).toBe(halves.length);
    expect(() => randomToken(64)).toThrow(RangeError);
  });
});
