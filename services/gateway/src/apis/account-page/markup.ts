import { xmlAttribute } from '../../render/index.js';

/** Escaped HTML. Only {@link html} creates it, so user text is always escaped. */
export class Markup {
  private constructor(readonly text: string) {}

  /** Wraps trusted text, for {@link html} and constants. */
  static of(text: string): Markup {
    return new Markup(text);
  }
}

/** Value in a template: text and numbers are escaped, markup is inserted as it is, undefined and false give nothing. */
export type Part = string | number | Markup | readonly Markup[] | undefined | false;

const written = (part: Part): string => {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  // Safe as text and inside quoted attributes.
  return typeof part === 'object' ? part.map(({ text }) => text).join('') : xmlAttribute(String(part)).replaceAll("'", '&#39;');
};

/** HTML template tag: escapes every value that is not {@link Markup}. Attributes need quotes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  Markup.of(texts.map((text, at) => text + written(parts[at])).join(''));
