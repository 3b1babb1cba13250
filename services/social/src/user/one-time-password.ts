import { randomInt } from 'node:crypto';

/** Letters and digits that nobody confuses: no 0 and o, no 1, i and l, no u and v side by side in meaning. */
const ALPHABET = '23456789abcdefghjkmnpqrstwxyz';
const GROUPS = 5;
const GROUP_LENGTH = 5;

/** A password that can be read out and typed in: five groups of five, about 121 random bits. */
export const oneTimePassword = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')).join('-');
