/** Name of a licence in lists. */
export interface LicenseName {
  readonly name: string;
  /** The link in the tag; empty when it has none. */
  readonly externalLink: string;
}

const LINK = /https?:\/\/[^\s<>"'()]+/i;
const TRAILING_MARKS = /[.,;:!]+$/;
const COMMONS_LICENSE = /creativecommons\.org\/licenses\/([a-z+-]+)\/(\d+(?:\.\d+)*)(?:\/([a-z]{2,5})(?=\/|$))?/i;
const COMMONS_DEDICATION = /creativecommons\.org\/publicdomain\/(zero|mark)\/(\d+(?:\.\d+)*)/i;

/**
 * The name under which a licence tag is listed: its text, or the short name of the Creative Commons licence that it links to (`CC BY-SA 4.0`), so that
 * the many spellings of one link are one licence.
 */
export const licenseNameOf = (tag: string): LicenseName => {
  const text = tag.replaceAll(/\s+/gu, ' ').trim();
  const externalLink = LINK.exec(text)?.[0].replace(TRAILING_MARKS, '') ?? '';
  return { name: commonsName(externalLink) ?? text, externalLink };
};

/** Short name of a Creative Commons licence by its address, with the jurisdiction of a ported one. */
const commonsName = (link: string): string | undefined => {
  const license = COMMONS_LICENSE.exec(link);
  if (license) {
    const [, terms = '', version = '', port] = license;
    return ['CC', terms.toUpperCase(), version, ...(port && port !== 'deed' ? [port.toUpperCase()] : [])].join(' ');
  }
  const dedication = COMMONS_DEDICATION.exec(link);
  if (!dedication) return undefined;
  return `${dedication[1]?.toLowerCase() === 'zero' ? 'CC0' : 'Public Domain Mark'} ${dedication[2]}`;
};
