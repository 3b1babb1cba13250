import { compileJson, compileXml, type ObjectText } from './compile.js';
import { Flow, type Listed } from './flow.js';
import { jsonScalar } from './json.js';
import {
  AS_ATTRIBUTE,
  AS_CDATA,
  AS_ELEMENT,
  fieldNode,
  isScalar,
  listNode,
  objectNode,
  type ComingList,
  type Node,
  type ObjectNode,
  type Placement,
  type Scalar,
} from './node.js';
import {
  buildObject,
  type FieldKind,
  type FieldRow,
  type FieldShape,
  type ObjectTable,
  type Profile,
  type TextOf,
} from './object-table.js';
import { printXmlElement, xmlScalar } from './xml.js';
import { type XmlStyle } from './xml-style.js';
import { xmlAttribute, xmlCdata, xmlName, xmlText } from './xml-text.js';

/** Options of a row that differ from its type's defaults. */
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
  /** True for a field that may be null. */
  readonly nullable?: true;
  /** True for a field that may be absent. */
  readonly optional?: true;
}

/** Return type of a getter: `V`, and null or undefined only where the options declare it. */
export type Declared<V, O> =
  | V
  | (O extends { readonly nullable: true } ? null : never)
  | (O extends { readonly optional: true } ? undefined : never);

type Get<T, C, V> = (source: T, context: C) => V;
type Base = Pick<FieldRow<never, never>, 'name' | 'place' | 'since' | 'until' | 'open' | 'shape'>;

const baseOf = (name: string, options: RowOptions, usual: Placement, kind: FieldKind): Base => {
  const {
    json = usual.json,
    xml = usual.xml,
    xmlName: otherName,
    item,
    since = 0,
    until = Number.MAX_SAFE_INTEGER,
    open = false,
    nullable = false,
    optional = false,
  } = options;
  const shape: FieldShape = { ...kind, nullable, optional };
  return {
    name,
    since,
    until,
    open,
    shape: () => shape,
    place: { json, xml, ...(otherName ? { xmlName: otherName } : {}), ...(item ? { item } : {}) },
  };
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
  scalar: valueFor,
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

/** The text of a list of no or one item, as most lists inside an object are; undefined for others. */
const shortList = <U>(items: Iterable<U>, write: (item: U) => string): string | undefined => {
  if (!Array.isArray(items) || items.length > 1) return undefined;
  return items.length === 0 ? '' : write(items[0] as U);
};

/** So many texts are joined at a time. */
const JOINED_AT_ONCE = 256;

/**
 * The texts of the items with a separator between them. A text that was put together from pieces holds on to every piece until it is joined, which for a long list is many
 * times its length; hence joining a few at a time.
 */
const joinedTexts = <U>(items: Iterable<U>, write: (item: U) => string, separator: string): string => {
  const short = shortList(items, write);
  if (short !== undefined) return short;
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

/** A list that is read while it is written stands in the tree alone: the compiled writers give one text. */
const atHand = <U>(items: Listed<U>): Iterable<U> => {
  if (items instanceof Flow) throw new Error('a list that is still to be read cannot be part of a text');
  return items;
};

/** The writers of a table by profile and format, each compiled when it is first needed. */
const writersOf = <U, C>() => {
  const compiled = new WeakMap<Profile, Map<string, ObjectText<U, C>>>();
  return (profile: Profile, key: string, compile: () => ObjectText<U, C>): ObjectText<U, C> => {
    const known = compiled.get(profile) ?? new Map<string, ObjectText<U, C>>();
    compiled.set(profile, known);
    const writer = known.get(key) ?? compile();
    known.set(key, writer);
    return writer;
  };
};

/** Turns the objects of a flow into a list of the tree. */
const comingList = <U, C>(table: ObjectTable<U, C>): ((items: Flow<U>, context: C, profile: Profile) => ComingList) => {
  const writerOf = writersOf<U, C>();
  return (items, context, profile) => ({
    kind: 'coming',
    isEmpty: items.length === 0,
    isLong: items.isLong,
    json: () => {
      const write = writerOf(profile, 'json', () => compileJson(table, profile));
      return items.written((item) => write(item, context));
    },
    xml: (name, style) => {
      const write = writerOf(profile, `xml ${style.booleans} ${name}`, () => compileXml(table, profile, style, name));
      return items.written((item) => write(item, context));
    },
  });
};

const listRow = <T, U, C>(base: Base, table: ObjectTable<U, C>, get: Get<T, C, Listed<U> | undefined>): FieldRow<T, C> => {
  const wrapper = elementName(base);
  const wrapped = base.place.xml === 'wrapped';
  const text =
    (write: (source: U, context: C) => string, separator: string, close: (items: string) => string): TextOf<T, C> =>
    (source, context) => {
      const items = get(source, context);
      return items === undefined ? undefined : close(joinedTexts(atHand(items), (item) => write(item, context), separator));
    };
  const wrap = (items: string): string => (items === '' ? `<${wrapper}/>` : `<${wrapper}>${items}</${wrapper}>`);
  const coming = comingList(table);
  return {
    ...base,
    build: (source, context, profile) => {
      const items = get(source, context);
      if (items instanceof Flow) return coming(items, context, profile);
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

/** Options of a list of scalars. */
interface ScalarsOptions extends RowOptions {
  /** Type of the items: texts unless declared. */
  readonly items?: 'integer';
}
type Item<O> = O extends { readonly items: 'integer' } ? number : string;

/** Row factories of one object: each takes the field's name, its getter and its options. */
export interface RowFactories<T, C> {
  /** An id: text in JSON unless the profile says number, an attribute in XML. */
  id<O extends RowOptions = RowOptions>(name: string, get: Get<T, C, Declared<number | string, O>>, options?: O): FieldRow<T, C>;
  /** Free text: a CDATA section in XML. */
  text<O extends RowOptions = RowOptions>(name: string, get: Get<T, C, Declared<string, O>>, options?: O): FieldRow<T, C>;
  /** A short word of a fixed set: plain text in XML. */
  word<O extends RowOptions = RowOptions>(name: string, get: Get<T, C, Declared<string, O>>, options?: O): FieldRow<T, C>;
  /** A whole number. */
  int<O extends RowOptions = RowOptions>(name: string, get: Get<T, C, Declared<number, O>>, options?: O): FieldRow<T, C>;
  /** A number that may have a fraction. */
  num<O extends RowOptions = RowOptions>(name: string, get: Get<T, C, Declared<number, O>>, options?: O): FieldRow<T, C>;
  bool<O extends RowOptions = RowOptions>(name: string, get: Get<T, C, Declared<boolean, O>>, options?: O): FieldRow<T, C>;
  /** A scalar that every profile spells as it is. */
  scalar<O extends RowOptions = RowOptions>(name: string, get: Get<T, C, Declared<Scalar, O>>, options?: O): FieldRow<T, C>;
  /** An object of another table. */
  object<U, O extends RowOptions = RowOptions>(
    name: string,
    table: ObjectTable<U, C>,
    get: Get<T, C, Declared<U, O>>,
    options?: O,
  ): FieldRow<T, C>;
  /** A list of objects of another table; each is taken when it is written, and only once. Those that still have to be read are for the tree alone. */
  list<U, O extends RowOptions = RowOptions>(
    name: string,
    table: ObjectTable<U, C>,
    get: Get<T, C, Declared<Listed<U>, O>>,
    options?: O,
  ): FieldRow<T, C>;
  /** A list of scalars. */
  scalars<O extends ScalarsOptions = ScalarsOptions>(
    name: string,
    get: Get<T, C, Declared<readonly Item<O>[], O>>,
    options?: O,
  ): FieldRow<T, C>;
  /** Named texts: an object of strings in JSON, elements of their own in XML. */
  map<O extends RowOptions = RowOptions>(
    name: string,
    get: Get<T, C, Declared<Readonly<Record<string, string>>, O>>,
    options?: O,
  ): FieldRow<T, C>;
}

/** The same factories, for builders that have checked the getter against the options already. */
export interface UncheckedFactories<T, C> {
  id(name: string, get: Get<T, C, number | string | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  text(name: string, get: Get<T, C, string | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  word(name: string, get: Get<T, C, string | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  int(name: string, get: Get<T, C, number | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  num(name: string, get: Get<T, C, number | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  bool(name: string, get: Get<T, C, boolean | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  scalar(name: string, get: Get<T, C, Scalar | undefined>, options?: RowOptions): FieldRow<T, C>;
  object<U>(name: string, table: ObjectTable<U, C>, get: Get<T, C, U | null | undefined>, options?: RowOptions): FieldRow<T, C>;
  list<U>(name: string, table: ObjectTable<U, C>, get: Get<T, C, Listed<U> | undefined>, options?: RowOptions): FieldRow<T, C>;
  scalars(name: string, get: Get<T, C, readonly Scalar[] | undefined>, options?: ScalarsOptions): FieldRow<T, C>;
  map(name: string, get: Get<T, C, Readonly<Record<string, string>> | undefined>, options?: RowOptions): FieldRow<T, C>;
}

/** The unchecked row factories for objects made from `T` with the request's `C`. */
export const uncheckedRowsOf = <T, C>(): UncheckedFactories<T, C> => ({
  id: (name, get, options = {}) =>
    scalarRow(
      baseOf(name, options, AS_ATTRIBUTE, { kind: 'id' }),
      spelled(get, (profile) => (profile.ids === 'number' ? (id) => id : String)),
    ),
  text: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_CDATA, { kind: 'text' }), plain(get)),
  word: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_ELEMENT, { kind: 'text' }), plain(get)),
  int: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_ELEMENT, { kind: 'integer' }), plain(get)),
  num: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_ELEMENT, { kind: 'number' }), plain(get)),
  scalar: (name, get, options = {}) => scalarRow(baseOf(name, options, AS_ELEMENT, { kind: 'any' }), plain(get)),
  bool: (name, get, options = {}) =>
    scalarRow(
      baseOf(name, options, AS_ELEMENT, { kind: 'boolean' }),
      spelled(get, (profile) => (profile.booleans === 'digit' ? (value: boolean) => (value ? 1 : 0) : (value: boolean) => value)),
    ),
  object: (name, table, get, options = {}) => objectRow(baseOf(name, options, AS_ELEMENT, { kind: 'object', table }), table, get),
  list: (name, table, get, options = {}) => listRow(baseOf(name, options, AS_ELEMENT, { kind: 'list', tables: [table] }), table, get),
  scalars: (name, get, options = {}) => {
    const build: FieldRow<T, C>['build'] = (source, context) => {
      const items = get(source, context);
      return items && listNode(items);
    };
    const row = nodeRow(baseOf(name, options, AS_ELEMENT, { kind: 'scalars', items: options.items ?? 'string' }), build, scalarsJson);
    const json: TextOf<T, C> = (source, context) => {
      const items = get(source, context);
      return items && (items.length === 0 ? '[]' : `[${items.map(jsonScalar).join(',')}]`);
    };
    return { ...row, json: () => json };
  },
  map: (name, get, options = {}) => {
    const build: FieldRow<T, C>['build'] = (source, context) => {
      const texts = get(source, context);
      return texts && mapNode(texts);
    };
    return nodeRow(baseOf(name, options, { json: 'key', xml: 'spread' }, { kind: 'map' }), build, scalarsJson);
  },
});

/** The row factories for objects made from `T` with the request's `C`. */
export const rowsOf = <T, C>(): RowFactories<T, C> => uncheckedRowsOf<T, C>() as RowFactories<T, C>;
