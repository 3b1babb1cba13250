import { textOf } from '../shared/names.js';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const named = name === undefined ? undefined : entities[name.toLowerCase()];
    if (named !== undefined) return named;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });

/** The text after the link to the page is the licence. */
const readMore = /<a [^>]*>\s*read more[^<]*<\/a>\.?\s*(.*)$/is;

/** A text of Last.fm without markup and without the link at its end, and what has to be said of its licence. */
export const biographyOf = (
  texts: { readonly summary?: string; readonly content?: string } | undefined,
): { summary?: string; attribution?: string } => {
  const raw = textOf(texts?.content) ?? textOf(texts?.summary);
  if (raw === undefined) return {};
  const terms = textOf(decoded((readMore.exec(raw)?.[1] ?? '').replaceAll(/<[^>]*>/g, '')));
  const summary = textOf(decoded(raw.replace(readMore, '').replaceAll(/<[^>]*>/g, '')));
  // Where nobody has written anything there is the link alone.
  if (summary === undefined) return {};
  return { summary, attribution: terms === undefined ? 'Last.fm' : `Last.fm. ${terms}` };
};
