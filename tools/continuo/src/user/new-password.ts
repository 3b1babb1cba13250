import { randomInt } from 'node:crypto';

/** Characters that are not taken for one another. */
const ALPHABET = 'abcdefghjkmnpqrstwxyz23456789';
const PASSWORD_LENGTH = 20;

/** A password of about 97 random bits. */
export const newPassword = (): string => Array.from({ length: PASSWORD_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
