import { objectTable, rowsOf, type FieldRow, type ObjectTable, type RowFactories } from '../../../render/index.js';
import type { NativeContext } from './context.js';

/** Table of an object of the native API. */
export type NativeTable<T> = ObjectTable<T, NativeContext>;

/** Row of an object of the native API. */
export type NativeRow<T> = FieldRow<T, NativeContext>;

/** Row factories of an object, for rows that several objects have. */
export const nativeRows = <T>(): RowFactories<T, NativeContext> => rowsOf<T, NativeContext>();

/** Defines an object of the native API by its rows; `schema` names it in the API's document, where several objects are of one kind. */
export const nativeObject = <T>(
  named: string | { readonly kind: string; readonly schema: string },
  rows: readonly NativeRow<T>[] | ((of: RowFactories<T, NativeContext>) => readonly NativeRow<T>[]),
): NativeTable<T> => {
  const { kind, schema } = typeof named === 'string' ? { kind: named } : named;
  return objectTable(kind, typeof rows === 'function' ? rows(nativeRows<T>()) : rows, schema);
};
