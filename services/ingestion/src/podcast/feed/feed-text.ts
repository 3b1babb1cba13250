import { decodeHTML } from 'entities';
import { MAX_DESCRIPTION_CHARS, MAX_LINE_CHARS } from './feed.js';

/** As long as an address may be, characters. */
const MAX_URL_CHARS = 2000;

/** Elements after which a line ends. */
const BREAK = /<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]*>/gi;
/** Elements whose text is not shown. */
const HIDDEN = /<(?:script|style)\b[^<>]*>[^<]*<\/(?:script|style)\s*>/gi;
const COMMENT = /<!--[^<]*-->/g;
/** A tag, not the sign in "3 < 4". */
const TAG = /<\/?[a-z][^<>]*>/gi;
// Characters that no surface can write, or that change the direction of the text around them.
const UNPRINTABLE = /[^\P{C}\n\u200c\u200d]|[\ufffe\uffff]/gu;

/** A text of at most so many UTF-16 units; a cut one ends in an ellipsis and splits no character. */
const cut = (text: string, chars: number): string =>
  text.length <= chars
    ? text
    : `${text
        .slice(0, chars - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;

/** Words of HTML, or of plain text, which feeds mix: without markup, entities resolved (also twice escaped ones), line ends kept. */
const words = (text: string): string =>
  decodeHTML(
    decodeHTML(text.toWellFormed().slice(0, 4 * MAX_DESCRIPTION_CHARS))
      .replaceAll(HIDDEN, '')
      .replaceAll(COMMENT, '')
      .replaceAll(BREAK, '\n')
      .replaceAll(TAG, ''),
  )
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNPRINTABLE, '')
    .toWellFormed();

/** One line without markup. */
export const lineOf = (text: string | undefined): string =>
  cut(
    words(text ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    MAX_LINE_CHARS,
  );

/** Several lines without markup; at most one empty line in a row. */
export const linesOf = (text: string | undefined): string =>
  cut(
    words(text ?? '')
      .split('\n')
      .map((line) => line.replaceAll(/[^\S\n]+/g, ' ').trim())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    MAX_DESCRIPTION_CHARS,
  );

/** An address as it is fetched: resolved against that of the feed; null for what is no http or https address, or holds a password. */
export const addressOf = (text: string | undefined, base: string): string | null => {
  // Often escaped twice; other names of HTML are parts of the query (`&copy=1`).
  const written = (text ?? '').trim().replaceAll('&amp;', '&');
  if (written === '' || written.length > MAX_URL_CHARS) return null;
  const url = URL.parse(written, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return null;
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  // Some of what an address may hold would trouble a header or a page.
  const href = url.href.replaceAll(/["<>\\^`{|}]/g, encodeURIComponent);
  return href.length <= MAX_URL_CHARS ? href : null;
};

const MEDIA = /^(?:audio|video)\/[a-z0-9.+-]{1,100}$/;

/** A media type without parameters; null for what is neither sound nor picture. */
export const mimeOf = (text: string | undefined): string | null => {
  const mime = (text ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA.test(mime) ? mime : null;
};
