const declaration = /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w+/gm;

/** TypeScript enums are not used here: a union of texts does the same without code at run time. */
export function enumFaults({ path, text }) {
  return [...text.matchAll(declaration)].map((match) => ({
    path,
    line: text.slice(0, match.index + match[0].search(/\S/)).split('\n').length,
    text: 'no enums; use a union of string literals',
  }));
}
