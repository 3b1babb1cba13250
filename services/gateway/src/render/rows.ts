import { compileJson, compileXml } from './compile.js';
import { jsonScalar } from './json.js';
import {
  AS_ATTRIBUTE,
  AS_CDATA,
  AS_ELEMENT,
  fieldNode,
  isScalar,
  listNode,
  objectNode,
  type Node,
  type ObjectNode,
  type Placement,
  type Scalar,
} from './node.js';
import { buildObject, type FieldRow, type ObjectTable, type Profile, type TextOf } from './object-table.js';
import { printXmlElement, xmlScalar, type XmlStyle } from './xml.js';
import { xmlAttribute, xmlCdata, xmlName, xmlText } from './xml-text.js';

/** Where a row differs from the usual of its type. */
export interface RowOptions {
  readonly json?: Placement['json'];
  readonly xml?: Placement['xml'];
  /** Name in XML, when it differs. */
  readonly xmlName?: string;
  /** Element name of the items of a `wrapped` list. */
  readonly item?: string;
  /** First and last API version that has the field, both inclusive. */
  readonly since?: number;
  readonly until?: number;
  /** True for a field of the extended compat form only. */
  readonly open?: boolean;
}

type Get<T, C, V> = (source: T, context: C) => V;
type Base = Pick<FieldRow<never, never>, 'name' | 'place' | 'since' | 'until' | 'open'>;

const baseOf = (name: string, options: RowOptions, usual: Placement): Base => {
  const {
    json = usual.json,
    xml = usual.xml,
    xmlName: otherName,
    item,
    since = 0,
    until = Number.MAX_SAFE_INTEGER,
    open = false,
  } = options;
  return { name, since, until, open, place: { json, xml, ...(otherName ? { xmlName: otherName } : {}), ...(item ? { item } : {}) } };
};

const elementName = (base: Base): string => xmlName(base.place.xmlName ?? base.name);

/** The XML of a scalar field in its place. */
const scalarXml = (base: Base, style: XmlStyle): ((value: Scalar) => string) => {
  const name = elementName(base);
  const empty = `<${name}/>`;
  const write = base.place.xml === 'cdata' || base.place.xml === 'cdata-text' ? xmlCdata : xmlText;
  switch (base.place.xml) {
    case 'attribute':
      return (value) => (value === null ? '' : ` ${name}="${xmlAttribute(xmlScalar(value, style))}"`);
    case 'text':
    case 'cdata-text':
      return (value) => (value === null || value === '' ? '' : write(xmlScalar(value, style)));
    default:
      return (value) => {
        const text = xmlScalar(value, style);
        return text === '' ? empty : `<${name}>${write(text)}</${name}>`;
      };
  }
};

const scalarRow = <T, C>(base: Base, valueFor: (profile: Profile) => Get<T, C, Scalar | undefined>): FieldRow<T, C> => ({
  ...base,
  build: (source, context, profile) => valueFor(profile)(source, context),
  json: (profile) => {
    const value = valueFor(profile);
    return (source, context) => {
      const scalar = value(source, context);
      return scalar === undefined ? undefined : jsonScalar(scalar);
    };
  },
  xml: (profile, style) => {
    const value = valueFor(profile);
    const write = scalarXml(base, style);
    return (source, context) => {
      const scalar = value(source, context);
      return scalar === undefined ? undefined : write(scalar);
    };
  },
});

const spelled =
  <T, C, V extends Scalar>(get: Get<T, C, V | null | undefined>, spell: (profile: Profile) => (value: V) => Scalar) =>
  (profile: Profile): Get<T, C, Scalar | undefined> => {
    const spelling = spell(profile);
    return (source, context) => {
      const value = get(source, context);
      return value === undefined || value === null ? value : spelling(value);
    };
  };

const plain =
  <T, C>(get: Get<T, C, Scalar | undefined>) =>
  (): Get<T, C, Scalar | undefined> =>
    get;

const objectRow = <T, U, C>(base: Base, table: ObjectTable<U, C>, get: Get<T, C, U | null | undefined>): FieldRow<T, C> => {
  const text =
    (write: (source: U, context: C) => string, none: string): TextOf<T, C> =>
    (source, context) => {
      const value = get(source, context);
      if (value === undefined) return undefined;
      return value === null ? none : write(value, context);
    };
  return {
    ...base,
    build: (source, context, profile) => {
      const value = get(source, context);
      if (value === undefined) return undefined;
      return value === null ? null : buildObject(table, value, context, profile);
    },
    json: (profile) => text(compileJson(table, profile), 'null'),
    xml: (profile, style) => text(compileXml(table, profile, style, elementName(base)), `<${elementName(base)}/>`),
  };
};

/** So many texts are joined at a time. */
const JOINED_AT_ONCE = 256;

/**
 * The texts of the items with a separator between them. A text that was put together from pieces holds on to every piece until it is joined, which for a long list is many
 * times its length; hence joining a few at a time.
 */
const joinedTexts = <U>(items: Iterable<U>, write: (item: U) => string, separator: string): string => {
  const joined: string[] = [];
  let texts: string[] = [];
  for (const item of items) {
    if (texts.push(write(item)) < JOINED_AT_ONCE) continue;
    joined.push(texts.join(separator));
    texts = [];
  }
  if (texts.length > 0) joined.push(texts.join(separator));
  return joined.join(separator);
};

const listRow = <T, U, C>(base: Base, table: ObjectTable<U, C>, get: Get<T, C, Iterable<U> | undefined>): FieldRow<T, C> => {
  const wrapper = elementName(base);
  const wrapped = base.place.xml === 'wrapped';
  const text =
    (write: (source: U, context: C) => string, separator: string, close: (items: string) => string): TextOf<T, C> =>
    (source, context) => {
      const items = get(source, context);
      return items === undefined ? undefined : close(joinedTexts(items, (item) => write(item, context), separator));
    };
  const wrap = (items: string): string => (items === '' ? `<${wrapper}/>` : `<${wrapper}>${items}</${wrapper}>`);
  return {
    ...base,
    build: (source, context, profile) => {
      const items = get(source, context);
      return items && listNode(Array.from(items, (item) => buildObject(table, item, context, profile)));
    },
    json: (profile) => text(compileJson(table, profile), ',', (items) => `[${items}]`),
    xml: (profile, style) =>
      text(compileXml(table, profile, style, wrapped ? (base.place.item ?? wrapper) : wrapper), '', wrapped ? wrap : (items) => items),
  };
};

/** A row whose value is a ready node: for shapes that no table describes. */
const nodeRow = <T, C>(base: Base, build: FieldRow<T, C>['build'], jsonText: (node: Node) => string): FieldRow<T, C> => ({
  ...base,
  build,
  json: (profile) => (source, context) => {
    const node = build(source, context, profile);
    return node === undefined ? undefined : jsonText(node);
  },
  xml: (profile, style) => (source, context) => {
    const node = build(source, context, profile);
    return node === undefined ? undefined : nodeXml(base, node, style);
  },
});

/** Prints through a holder element and cuts it off again, so that the plain printer alone knows the placements. */
const nodeXml = (base: Base, node: Node, style: XmlStyle): string => {
  if (isScalar(node)) return scalarXml(base, style)(node);
  const held = printXmlElement('x', objectNode([fieldNode(base.name, node, base.place)]), style);
  return held === '<x/>' ? '' : held.slice('<x>'.length, -'</x>'.length);
};

const scalarsJson = (node: Node): string => {
  if (isScalar(node)) return jsonScalar(node);
  if (node.kind === 'list') return `[${node.items.map(scalarsJson).join(',')}]`;
  if (node.kind === 'object')
    return `{${node.fields.map((field) => `${JSON.stringify(field.name)}:${scalarsJson(field.value)}`).join(',')}}`;
  throw new Error('a list of ready text has no place inside an object table');
};

const mapNode = (texts: Readonly<Record<string, string>>): ObjectNode =>
  objectNode(Object.entries(texts).map(([name, value]) => fieldNode(name, value, AS_CDATA)));

/** What the row factories of one object make: each takes the field's name, its getter and where it differs from the usual. */
export interface RowFactories<T, C> {
  /** An id: text in JSON unless the profile says number, an attribute in XML. */
  id(name: string, get: Get<T, C, number | string | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** Free text: a CDATA section in XML. */
  text(name: string, get: Get<T, C, string | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** A short word of a fixed set: plain text in XML. */
  word(name: string, get: Get<T, C, string | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** A number, whole or not. */
  num(name: string, get: Get<T, C, number | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  bool(name: string, get: Get<T, C, boolean | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** A scalar that every profile spells as it is. */
  scalar(name: string, get: Get<T, C, Scalar | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** An object of another table, or null. */
  object<U>(name: string, table: ObjectTable<U, C>, get: Get<T, C, U | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** A list of objects of another table; each is taken when it is written, and only once. */
  list<U>(name: string, table: ObjectTable<U, C>, get: Get<T, C, Iterable<U> | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** A list of scalars. */
  scalars(name: string, get: Get<T, C, readonly Scalar[] | undefined>, options?: RowOptions): FieldRow<T, C>;
  /** Named texts: an object of strings in JSON, elements of their own in XML. */
  map(name: string, get: Get<T, C, Readonly<Record<string, string>> | undefined>, options?: RowOptions): FieldRow<T, C>;
}

/** The row factories for objects made from `T` with the request's `C`. */
export const rowsOf = <T, C>(): RowFactories<T, C> => ({
  id: (name, get, options = {}) =>
    scalarRow(
      baseOf(name, options, AS_ATTRIBUTE),
      spelled(get, (profile) => (profile.ids === 'number' ? (id) => id : String)),
    ),
  text: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_CDATA), plain(get)),
  word: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_ELEMENT), plain(get)),
  num: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_ELEMENT), plain(get)),
  scalar: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_ELEMENT), plain(get)),
  bool: (name, get, options = {}) =>
    scalarRow(
      baseOf(name, options, AS_ELEMENT),
      spelled(get, (profile) => (profile.booleans === 'digit' ? (value: boolean) => (value ? 1 : 0) : (value: boolean) => value)),
    ),
  object: (name, table, get, options = {}) => objectRow(baseOf(name, options, AS_ELEMENT), table, get),
  list: (name, table, get, options = {}) => listRow(baseOf(name, options, AS_ELEMENT), table, get),
  scalars: (name, get, options = {}) => {
    const build: FieldRow<T, C>['build'] = (source, context) => {
      const items = get(source, context);
      return items && listNode(items);
    };
    return nodeRow(baseOf(name, options, AS_ELEMENT), build, scalarsJson);
  },
  map: (name, get, options = {}) => {
    const build: FieldRow<T, C>['build'] = (source, context) => {
      const texts = get(source, context);
      return texts && mapNode(texts);
    };
    return nodeRow(baseOf(name, options, { json: 'key', xml: 'spread' }), build, scalarsJson);
  },
});
