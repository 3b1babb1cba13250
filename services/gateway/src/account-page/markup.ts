import { xmlAttribute } from '../render/index.js';

/** Text that is HTML already. Only {@link html} makes it, so that whatever people wrote is escaped. */
export class Markup {
  private constructor(readonly text: string) {}

  /** For {@link html} and for text of the program's own. */
  static of(text: string): Markup {
    return new Markup(text);
  }
}

/** What may stand in a template: text and numbers are escaped, markup goes in as it is, what is not there leaves nothing. */
export type Part = string | number | Markup | readonly Markup[] | undefined | false;

const written = (part: Part): string => {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  // Safe as text and between quotes of either kind.
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : xmlAttribute(String(part)).replaceAll("'", '&#39;');
};

/** HTML with holes; whatever goes into a hole is escaped unless it was made here. Attributes need quotes around their holes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  Markup.of(texts.map((text, at) => text + written(parts[at])).join(''));
