/** Longest plain text (title, name, label), in UTF-16 units. Two of them together must fit into one key of an index (2,700 bytes). */
export const MAX_NAME_CHARS = 400;
/** Longest comment, in UTF-16 units. */
export const MAX_COMMENT_CHARS = 8000;

/* Everything that XML 1.0 forbids plus DEL and the C1 range, which show up when a tag was decoded under the wrong encoding. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
};

/** Removes characters that break clients' parsers: controls, NULs, lone halves of surrogate pairs (these become U+FFFD). Line breaks stay. */
export const cleanLines = (value: unknown, maxChars: number): string | undefined => {
  const text = asText(value)?.replaceAll(CONTROLS, '').replaceAll(/\r\n?/g, '\n').toWellFormed().trim();
  return text ? cut(text, maxChars) : undefined;
};

/** The same for a text of one line: every run of white space becomes one blank. Empty texts are absent. */
export const cleanText = (value: unknown, maxChars = MAX_NAME_CHARS): string | undefined => {
  const text = asText(value)
    ?.replaceAll(/[\t\n\r]+/g, ' ')
    .replaceAll(CONTROLS, '')
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text ? cut(text, maxChars) : undefined;
};

const cut = (text: string, maxChars: number): string => (text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed().trim());

/** Cleans every value of a list, drops empty and repeated ones, and keeps the first `maxItems`. A single value counts as a list of one. */
export const cleanList = (values: unknown, maxItems: number, maxChars = MAX_NAME_CHARS): string[] => {
  const list = Array.isArray(values) ? values : [values];
  const seen = new Set<string>();
  for (const value of list) {
    const text = cleanText(value, maxChars);
    if (text !== undefined) seen.add(text);
    if (seen.size >= maxItems) break;
  }
  return [...seen];
};
