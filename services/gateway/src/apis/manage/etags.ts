import { sha256Hex } from '@continuo/chassis';

const DIGITS = 32;

/** Strong entity tag of a representation (RFC 9110 part 8.8.3). */
export const etagOf = (representation: string): string => `"${sha256Hex(representation).slice(0, DIGITS)}"`;

/** True when a list of tags (`If-Match`, `If-None-Match`) names a tag. Weak tags name nothing where a strong comparison is asked for. */
export const namesTag = (header: string, tag: string, isWeakEnough: boolean): boolean =>
  header.split(',').some((one) => {
    const text = one.trim();
    return text === '*' || text === tag || (isWeakEnough && text === `W/${tag}`);
  });
