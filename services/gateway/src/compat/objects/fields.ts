import { listNode, type Scalar } from '../../render/node.js';
import type { FieldRow, ObjectTable, Profile } from '../../render/object-table.js';
import { rowsOf } from '../../render/rows.js';

/** Objects of this surface are made from their source alone. */
export type NoContext = undefined;
/** An object of this surface. */
export type CompatTable<T> = ObjectTable<T, NoContext>;
/** A field of an object of this surface. */
export type CompatField<T> = FieldRow<T, NoContext>;

/** Marks a field as an OpenSubsonic addition: the legacy form leaves it out. */
export const OPEN = { open: true } as const;

type Marks = { readonly open?: boolean };
type Get<T, V> = (source: T) => V | undefined;

/**
 * How this surface places fields: scalars are attributes in XML, lists are repeated elements without a wrapper, and undefined leaves the field
 * out (compat facts, section 3.1).
 */
export const fieldsOf = <T>() => {
  const rows = rowsOf<T, NoContext>();
  const asAttribute = (marks: Marks = {}) => ({ xml: 'attribute', ...marks }) as const;
  return {
    text: (name: string, get: Get<T, string>, marks?: Marks): CompatField<T> => rows.word(name, get, asAttribute(marks)),
    num: (name: string, get: Get<T, number>, marks?: Marks): CompatField<T> => rows.num(name, get, asAttribute(marks)),
    bool: (name: string, get: Get<T, boolean>, marks?: Marks): CompatField<T> => rows.bool(name, get, asAttribute(marks)),
    /** The element's own text in XML. */
    ownText: (name: string, get: Get<T, string>): CompatField<T> => rows.word(name, get, { xml: 'text' }),
    /** Text in a child element of its own in XML. */
    element: (name: string, get: Get<T, string>): CompatField<T> => rows.word(name, get),
    /** Only in XML: the name space. */
    xmlOnly: (name: string, get: Get<T, string>): CompatField<T> => rows.word(name, get, { xml: 'attribute', json: 'none' }),
    /** Only in JSON: what XML has by another row. */
    jsonOnly: (name: string, get: Get<T, string>): CompatField<T> => rows.word(name, get, { xml: 'none' }),
    one: <U>(name: string, table: CompatTable<U>, get: Get<T, U>, marks?: Marks): CompatField<T> => rows.object(name, table, get, marks),
    many: <U>(name: string, table: CompatTable<U>, get: Get<T, Iterable<U>>, marks?: Marks): CompatField<T> =>
      rows.list(name, table, get, marks),
    scalars: (name: string, get: Get<T, readonly Exclude<Scalar, null>[]>, marks?: Marks): CompatField<T> => rows.scalars(name, get, marks),
  };
};

/** A field of one object as a field of another that holds it. */
export const borrowed = <T, H>(field: CompatField<T>, pick: (holder: H) => T): CompatField<H> => ({
  ...field,
  build: (holder, context, profile) => field.build(pick(holder), context, profile),
  json: (profile) => {
    const text = field.json(profile);
    return (holder, context) => text(pick(holder), context);
  },
  xml: (profile, style) => {
    const text = field.xml(profile, style);
    return (holder, context) => text(pick(holder), context);
  },
});

/** A field of one object as a field of another that holds it or something else; left out where it does not. */
export const either = <T, H>(field: CompatField<T>, pick: (holder: H) => T | undefined): CompatField<H> => ({
  ...field,
  build: (holder, context, profile) => {
    const held = pick(holder);
    return held === undefined ? undefined : field.build(held, context, profile);
  },
  json: (profile) => {
    const text = field.json(profile);
    return (holder, context) => {
      const held = pick(holder);
      return held === undefined ? undefined : text(held, context);
    };
  },
  xml: (profile, style) => {
    const text = field.xml(profile, style);
    return (holder, context) => {
      const held = pick(holder);
      return held === undefined ? undefined : text(held, context);
    };
  },
});

/** A field that one of the two forms of an answer spells otherwise. */
export const byForm = <T>(forms: { readonly legacy: CompatField<T>; readonly extended: CompatField<T> }): CompatField<T> => {
  const formOf = ({ open }: Profile): CompatField<T> => (open ? forms.extended : forms.legacy);
  return {
    ...forms.extended,
    open: false,
    build: (source, context, profile) => formOf(profile).build(source, context, profile),
    json: (profile) => formOf(profile).json(profile),
    xml: (profile, style) => formOf(profile).xml(profile, style),
  };
};

/** Several lists of different objects under one name, one after the other. */
export const concatenated = <T>(first: CompatField<T>, ...others: readonly CompatField<T>[]): CompatField<T> => {
  const parts = [first, ...others];
  return {
    ...first,
    build: (source, context, profile) =>
      listNode(
        parts.flatMap((part) => {
          const node = part.build(source, context, profile);
          return node !== null && typeof node === 'object' && node.kind === 'list' ? node.items : [];
        }),
      ),
    json: (profile) => {
      const texts = parts.map((part) => part.json(profile));
      return (source, context) => `[${texts.flatMap((text) => text(source, context)?.slice(1, -1) || []).join(',')}]`;
    },
    xml: (profile, style) => {
      const texts = parts.map((part) => part.xml(profile, style));
      return (source, context) => texts.map((text) => text(source, context) ?? '').join('');
    },
  };
};
