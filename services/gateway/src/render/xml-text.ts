// Everything below U+0020 except tab, line feed and carriage return, and the two non-characters: XML 1.0 section 2.2 forbids them even escaped.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
// oxlint-disable-next-line no-control-regex
const EVERY_FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Drops the characters that no XML document may hold; a lone surrogate becomes U+FFFD. */
export const cleanXml = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return FORBIDDEN.test(whole) ? whole.replace(EVERY_FORBIDDEN, '') : whole;
};

// All that has to be escaped, dropped or looked at again anywhere in a document.
// oxlint-disable-next-line no-control-regex
const SPECIAL = /[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]/;

const TEXT_SPECIAL = /[&<>\r]/;
const textEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Text between tags. */
export const xmlText = (text: string): string => {
  if (!SPECIAL.test(text)) return text;
  const clean = cleanXml(text);
  return TEXT_SPECIAL.test(clean) ? clean.replace(/[&<>\r]/g, (char) => textEscapes[char] ?? char) : clean;
};

const ATTRIBUTE_SPECIAL = /[&<>"\t\n\r]/;
const attributeEscapes: Record<string, string> = { ...textEscapes, '"': '&quot;', '\t': '&#9;', '\n': '&#10;' };

/** Text between double quotes; white space is escaped, because parsers turn it into blanks there. */
export const xmlAttribute = (text: string): string => {
  if (!SPECIAL.test(text)) return text;
  const clean = cleanXml(text);
  return ATTRIBUTE_SPECIAL.test(clean) ? clean.replace(/[&<>"\t\n\r]/g, (char) => attributeEscapes[char] ?? char) : clean;
};

/** A CDATA section; the sequence that would end it is split over two. */
export const xmlCdata = (text: string): string => {
  if (!SPECIAL.test(text)) return `<![CDATA[${text}]]>`;
  const clean = cleanXml(text);
  return `<![CDATA[${clean.includes(']]>') ? clean.replaceAll(']]>', ']]]]><![CDATA[>') : clean}]]>`;
};

const NAME_START = /^[A-Za-z_]/;

/** A name that XML accepts: every other character becomes `_`, and a name that may not start so gets one in front. */
export const xmlName = (name: string): string => {
  const safe = name.replace(/[^A-Za-z0-9_.-]/g, '_');
  return NAME_START.test(safe) ? safe : `_${safe}`;
};
