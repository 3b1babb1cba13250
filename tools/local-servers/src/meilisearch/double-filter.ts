/** A document as the server keeps it. */
export type DoubleDocument = Readonly<Record<string, unknown>>;

/** A filter that the server refuses, with what is wrong with it. */
export class FilterFault extends Error {}

type Test = (document: DoubleDocument) => boolean;

const expression = /^\s*([\w.-]+)\s*(?:=\s*([\w-]+)|IN\s*\[\s*((?:[\w-]+\s*,\s*)*[\w-]+)\s*,?\s*\])\s*$/;

/** Understands lists of `attribute = value` and `attribute IN [value, …]`: the outer list means and, inner lists mean or. */
export const doubleFilter = (
  filter: string | readonly (string | readonly string[])[],
  isFilterable: (attribute: string) => boolean,
): Test => {
  const all = (typeof filter === 'string' ? [filter] : filter).map((part) => {
    const any = (typeof part === 'string' ? [part] : part).map((text) => testOf(text, isFilterable));
    return (document: DoubleDocument) => any.some((test) => test(document));
  });
  return (document) => all.every((test) => test(document));
};

const testOf = (text: string, isFilterable: (attribute: string) => boolean): Test => {
  const [, attribute = '', single, several] = expression.exec(text) ?? [];
  if (attribute === '') throw new FilterFault(`the filter ${text} is not understood`);
  if (!isFilterable(attribute)) throw new FilterFault(`Attribute \`${attribute}\` is not filterable.`);
  const wanted = new Set((single === undefined ? (several ?? '').split(',') : [single]).map((value) => value.trim()));
  return (document) => {
    const value = document[attribute];
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.some(
      (one) => (typeof one === 'number' || typeof one === 'boolean' || typeof one === 'string') && wanted.has(String(one)),
    );
  };
};
