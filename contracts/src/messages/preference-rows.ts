import type { PreferenceDefinition } from './preference-definition.js';

/** Category under which clients show a preference. */
export type Place = Pick<PreferenceDefinition, 'category' | 'subcategory'>;
/** Values that a preference takes. */
export type Kind = Pick<PreferenceDefinition, 'type' | 'default' | 'values' | 'isReadOnly' | 'sameAs'>;

/** A switch that is on. */
export const yes: Kind = { type: 'boolean', default: '1' };
/** A switch that is off. */
export const no: Kind = { type: 'boolean', default: '0' };
/** A whole number. */
export const number = (value: number): Kind => ({ type: 'integer', default: String(value) });
/** Any text, empty at first. */
export const text: Kind = { type: 'string', default: '' };
/** One of a few words, the first of them at first. */
export const oneOf = (...values: [string, ...string[]]): Kind => ({ type: 'special', default: values[0], values });

/** The access level of ordinary accounts. */
export const USER = 25;
/** The access level of those who manage catalogs. */
export const MANAGER = 75;
/** The access level of administrators. */
export const ADMINISTRATOR = 100;

/** Number, description and kind of a preference, and who may change it when that is not every user. */
export type PreferenceRow = readonly [id: number, description: string, kind: Kind, level?: number];

/** The preferences of one place. */
export const rowsIn = <N extends string>(
  [category, subcategory]: readonly [PreferenceDefinition['category'], string | null],
  rows: Readonly<Record<N, PreferenceRow>>,
): (PreferenceDefinition & { readonly name: N })[] =>
  Object.entries<PreferenceRow>(rows).map(([name, [id, description, kind, level = USER]]) => ({
    id,
    name: name as N,
    description,
    level,
    category,
    subcategory,
    ...kind,
  }));
