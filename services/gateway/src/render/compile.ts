import { isPlainText, jsonScalar } from './json.js';
import type { Scalar } from './node.js';
import { rowsFor, type FieldRow, type ObjectTable, type Profile, type TextOf } from './object-table.js';
import type { XmlStyle } from './xml-style.js';

/** A compiled object: the text of one object, made from its source. */
export type ObjectText<T, C> = (source: T, context: C) => string;

/** How one field is written: key and value in as few pieces as can be, because a long list has hundreds of thousands of them. */
interface JsonWriter<T, C> {
  /** The key as the first of its object, and behind another. */
  readonly first: string;
  readonly next: string;
  /** The value, where it is one scalar. */
  readonly scalar: ((source: T, context: C) => Scalar | undefined) | undefined;
  /** Else its text. */
  readonly text: TextOf<T, C>;
}

const jsonWriter = <T, C>(row: FieldRow<T, C>, profile: Profile): JsonWriter<T, C> => {
  const value = row.json(profile);
  if (row.place.json === 'spread') {
    // Members without any are left out together with their comma.
    const members: TextOf<T, C> = (source, context) => value(source, context)?.slice(1, -1) || undefined;
    return { first: '', next: ',', scalar: undefined, text: members };
  }
  const key = `${JSON.stringify(row.name)}:`;
  return { first: key, next: `,${key}`, scalar: row.scalar?.(profile), text: value };
};

/** Compiles a table into a function that writes one object as JSON; gives the same text as printing the built tree. */
export const compileJson = <T, C>(table: ObjectTable<T, C>, profile: Profile): ObjectText<T, C> => {
  const writers = rowsFor(table, profile)
    .filter((row) => row.place.json !== 'none')
    .map((row) => jsonWriter(row, profile));
  return (source, context) => {
    let out = '';
    for (const writer of writers) {
      const { scalar } = writer;
      const value = scalar ? scalar(source, context) : writer.text(source, context);
      if (value === undefined) continue;
      const key = out === '' ? writer.first : writer.next;
      if (!scalar) out += key + String(value);
      else out += typeof value === 'string' && isPlainText(value) ? `${key}"${value}"` : key + jsonScalar(value);
    }
    return `{${out}}`;
  };
};

const joined = <T, C>(writers: readonly TextOf<T, C>[], source: T, context: C): string => {
  let out = '';
  for (const writer of writers) {
    const text = writer(source, context);
    if (text !== undefined) out += text;
  }
  return out;
};

/** Compiles a table into a function that writes one object as an XML element; `name` defaults to what the profile calls the table's kind. */
export const compileXml = <T, C>(
  table: ObjectTable<T, C>,
  profile: Profile,
  style: XmlStyle,
  name: string = profile.kinds?.[table.kind] ?? table.kind,
): ObjectText<T, C> => {
  const rows = rowsFor(table, profile).filter((row) => row.place.xml !== 'none');
  const attributes = rows.filter((row) => row.place.xml === 'attribute').map((row) => row.xml(profile, style));
  const children = rows.filter((row) => row.place.xml !== 'attribute').map((row) => row.xml(profile, style));
  const start = `<${name}`;
  const end = `</${name}>`;
  return (source, context) => {
    const head = start + joined(attributes, source, context);
    const body = joined(children, source, context);
    return body === '' ? `${head}/>` : `${head}>${body}${end}`;
  };
};
