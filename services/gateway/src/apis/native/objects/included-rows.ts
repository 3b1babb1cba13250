import { nativeObject, nativeRows, type NativeRow, type NativeTable } from './native-object.js';

const filled = <U>(items: readonly U[] | undefined): readonly U[] | undefined => (items && items.length > 0 ? items : undefined);

/**
 * Field of what an object includes when a call wants it. Without it, the list is empty from version 5 on, and a number before. Version 3 has
 * the number also for empty lists, and else a wrapper with a count.
 */
export const includedRows = <T, U>(
  name: string,
  [item, table]: readonly [item: string, table: NativeTable<U>],
  { get, countOf }: { readonly get: (owner: T) => readonly U[] | undefined; readonly countOf: (owner: T) => number },
): NativeRow<T>[] => {
  const of = nativeRows<T>();
  const counted = nativeObject<readonly U[]>(name, (list) => [
    list.int('total_count', (items) => items.length),
    list.list(item, table, (items) => items),
  ]);
  return [
    of.list(name, table, (owner) => get(owner) ?? [], { since: 5, xml: 'wrapped', item }),
    of.list(name, table, get, { since: 4, until: 4, xml: 'wrapped', item, optional: true }),
    of.object(name, counted, (owner) => filled(get(owner)), { until: 3, optional: true }),
    of.int(name, (owner) => (get(owner) ? undefined : countOf(owner)), { since: 4, until: 4, optional: true }),
    of.int(name, (owner) => (filled(get(owner)) ? undefined : countOf(owner)), { until: 3, optional: true }),
  ];
};
