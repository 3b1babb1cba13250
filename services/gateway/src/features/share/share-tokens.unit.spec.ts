import { expect, it } from 'vitest';
import { shareTokens } from './share-tokens.js';

const HOUR_MS = 3_600_000;
const SECRET = 'a secret for specs, of enough characters';
let nowMs = 1_700_000_000_000;
const tokens = shareTokens(SECRET, () => nowMs);
const grant = { shareId: 7, itemId: 12, use: 'play' } as const;

it('gives its grant, for some hours', () => {
  const token = tokens.sign(grant);
  expect(tokens.check(token)).toEqual(grant);
  expect(tokens.sign(grant)).toBe(token);
  nowMs += 7 * HOUR_MS;
  expect(tokens.check(token)).toEqual(grant);
  nowMs += HOUR_MS;
  expect(tokens.check(token)).toBeUndefined();
});

it('is rejected when any part was changed, or under another secret', () => {
  const token = tokens.sign(grant);
  const changed = [
    token.replace('sp-', 'sd-'),
    token.replace('-7-', '-8-'),
    token.replace('-12-', '-13-'),
    token.replace(/-(\w)(\w+)-(?=\w{40}$)/, (_all, first: string, rest: string) => `-${first === 'z' ? 'y' : 'z'}${rest}-`),
    `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
    `${token}0`,
    '',
    'sp-7-12--',
  ];
  for (const text of changed) expect([text, tokens.check(text)]).toEqual([text, undefined]);
  expect(shareTokens(`${SECRET}!`, () => nowMs).check(token)).toBeUndefined();
});
