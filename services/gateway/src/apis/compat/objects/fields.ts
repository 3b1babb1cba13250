import type { Listed } from '../../../render/flow.js';
import { concatLists } from '../../../render/concat-lists.js';
import type { FieldRow, FieldShape, ObjectTable, Profile } from '../../../render/object-table.js';
import { uncheckedRowsOf, type Declared, type RowOptions } from '../../../render/rows.js';

/** Objects of this API need no context beside their source. */
export type NoContext = undefined;
/** An object table of this API. */
export type CompatTable<T> = ObjectTable<T, NoContext>;
/** A field of an object table of this API. */
export type CompatField<T> = FieldRow<T, NoContext>;

/** Marks an OpenSubsonic field, which the legacy form leaves out. */
export const OPEN = { open: true } as const;
/** Marks a field that may be absent. */
export const OPTIONAL = { optional: true } as const;
/** Marks an OpenSubsonic field that may be absent. */
export const OPEN_OPTIONAL = { open: true, optional: true } as const;

type Marks = Pick<RowOptions, 'open' | 'optional'>;
type Get<T, V> = (source: T) => V;

/** Factories of fields: scalars are attributes in XML, lists are repeated elements without a wrapper, undefined fields are left out. */
interface FieldFactories<T> {
  text<M extends Marks = Marks>(name: string, get: Get<T, Declared<string, M>>, marks?: M): CompatField<T>;
  /** A whole number. */
  int<M extends Marks = Marks>(name: string, get: Get<T, Declared<number, M>>, marks?: M): CompatField<T>;
  /** A number that may have a fraction. */
  num<M extends Marks = Marks>(name: string, get: Get<T, Declared<number, M>>, marks?: M): CompatField<T>;
  bool<M extends Marks = Marks>(name: string, get: Get<T, Declared<boolean, M>>, marks?: M): CompatField<T>;
  /** The element's own text in XML. */
  ownText<M extends Marks = Marks>(name: string, get: Get<T, Declared<string, M>>, marks?: M): CompatField<T>;
  /** Text in a child element of its own in XML. */
  element<M extends Marks = Marks>(name: string, get: Get<T, Declared<string, M>>, marks?: M): CompatField<T>;
  /** In XML only: the namespace. */
  xmlOnly(name: string, get: Get<T, string>): CompatField<T>;
  /** In JSON only. */
  jsonOnly<M extends Marks = Marks>(name: string, get: Get<T, Declared<string, M>>, marks?: M): CompatField<T>;
  one<U, M extends Marks = Marks>(name: string, table: CompatTable<U>, get: Get<T, Declared<U, M>>, marks?: M): CompatField<T>;
  many<U, M extends Marks = Marks>(name: string, table: CompatTable<U>, get: Get<T, Declared<Listed<U>, M>>, marks?: M): CompatField<T>;
  /** A list of texts. */
  scalars<M extends Marks = Marks>(name: string, get: Get<T, Declared<readonly string[], M>>, marks?: M): CompatField<T>;
  /** A list of whole numbers. */
  integers<M extends Marks = Marks>(name: string, get: Get<T, Declared<readonly number[], M>>, marks?: M): CompatField<T>;
}

/** Builders for the fields of objects made from `T`. */
export const fieldsOf = <T>(): FieldFactories<T> => {
  const rows = uncheckedRowsOf<T, NoContext>();
  const asAttribute = (marks: Marks = {}) => ({ xml: 'attribute', ...marks }) as const;
  return {
    text: (name, get, marks?: Marks) => rows.word(name, get, asAttribute(marks)),
    int: (name, get, marks?: Marks) => rows.int(name, get, asAttribute(marks)),
    num: (name, get, marks?: Marks) => rows.num(name, get, asAttribute(marks)),
    bool: (name, get, marks?: Marks) => rows.bool(name, get, asAttribute(marks)),
    ownText: (name, get, marks?: Marks) => rows.word(name, get, { xml: 'text', ...marks }),
    element: (name, get, marks?: Marks) => rows.word(name, get, marks),
    xmlOnly: (name, get) => rows.word(name, get, { xml: 'attribute', json: 'none' }),
    jsonOnly: (name, get, marks?: Marks) => rows.word(name, get, { xml: 'none', ...marks }),
    one: (name, table, get, marks?: Marks) => rows.object(name, table, get, marks),
    many: (name, table, get, marks?: Marks) => rows.list(name, table, get as Get<T, never>, marks),
    scalars: (name, get, marks?: Marks) => rows.scalars(name, get as Get<T, never>, marks),
    integers: (name, get, marks?: Marks) => rows.scalars(name, get as Get<T, never>, { ...marks, items: 'integer' }),
  };
};

/** A field of an object as a field of its holder. */
export const borrowed = <T, H>(field: CompatField<T>, pick: (holder: H) => T): CompatField<H> => ({
  ...field,
  scalar: undefined,
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

/** A field of an object as a field of a holder that may lack it; left out then. */
export const either = <T, H>(field: CompatField<T>, pick: (holder: H) => T | undefined): CompatField<H> => ({
  ...field,
  scalar: undefined,
  shape: (profile) => ({ ...field.shape(profile), optional: true }),
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

/** A field with different spellings in the two forms. */
export const byForm = <T>(forms: { readonly legacy: CompatField<T>; readonly extended: CompatField<T> }): CompatField<T> => {
  const formOf = ({ open }: Profile): CompatField<T> => (open ? forms.extended : forms.legacy);
  return {
    ...forms.extended,
    open: false,
    scalar: undefined,
    shape: (profile) => formOf(profile).shape(profile),
    build: (source, context, profile) => formOf(profile).build(source, context, profile),
    json: (profile) => formOf(profile).json(profile),
    xml: (profile, style) => formOf(profile).xml(profile, style),
  };
};

/** Lists of several tables under one name. */
export const concatenated = <T>(first: CompatField<T>, ...others: readonly CompatField<T>[]): CompatField<T> => {
  const parts = [first, ...others];
  return {
    ...first,
    scalar: undefined,
    shape: (profile): FieldShape => {
      const shapes = parts.map((part) => part.shape(profile));
      const tables = shapes.flatMap((shape) => (shape.kind === 'list' ? shape.tables : []));
      return { kind: 'list', tables, nullable: false, optional: shapes.every(({ optional }) => optional) };
    },
    build: (source, context, profile) => concatLists(parts.map((part) => part.build(source, context, profile))),
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
