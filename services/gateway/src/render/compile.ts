import { rowsFor, type FieldRow, type ObjectTable, type Profile, type TextOf } from './object-table.js';
import type { XmlStyle } from './xml.js';

/** A compiled object: the text of one object, made from its source. */
export type ObjectText<T, C> = (source: T, context: C) => string;

const jsonWriter = <T, C>(row: FieldRow<T, C>, profile: Profile): TextOf<T, C> => {
  const value = row.json(profile);
  if (row.place.json === 'spread') {
    return (source, context) => value(source, context)?.slice(1, -1);
  }
  const key = `${JSON.stringify(row.name)}:`;
  return (source, context) => {
    const text = value(source, context);
    return text === undefined ? undefined : key + text;
  };
};

/** Compiles a table into a function that writes one object as JSON; gives the same text as printing the built tree. */
export const compileJson = <T, C>(table: ObjectTable<T, C>, profile: Profile): ObjectText<T, C> => {
  const writers = rowsFor(table, profile)
    .filter((row) => row.place.json !== 'none')
    .map((row) => jsonWriter(row, profile));
  return (source, context) => {
    let out = '';
    for (const writer of writers) {
      const text = writer(source, context);
      if (text !== undefined && text !== '') out += out === '' ? text : `,${text}`;
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
