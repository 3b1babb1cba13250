import type { HasLists, ListKind } from '../../../../kinds/index.js';
import type { HasReadModel, ReadDatabase } from '../../../../reads/database/database.js';
import type { Condition, SortOrder } from '../../../../reads/lists/list-query.js';
import type { Viewer } from '../../../../reads/visibility/viewer.js';
import type { CallerCall } from '../../method.js';
import { objectNamed, type Named, type ReadByIds } from '../../named-object.js';
import type { NativeTable } from '../../objects/native-object.js';
import { by, listQuery, listResult, type ListParams } from '../../paging.js';
import { objectResult, type NativeResult } from '../../result.js';

type Services = HasReadModel & HasLists;
type ReadPage<T> = (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer) => Promise<readonly T[]>;

/** Answers of a kind whose objects are shown as they are read: `page` of its list, and `one` by its id. */
export const ofKind = <T extends { readonly id: number }>(kind: ListKind, table: NativeTable<T>, read: ReadPage<T>) => ({
  page: (call: CallerCall<ListParams, Services>, order: SortOrder, own: readonly Condition[] = []): Promise<NativeResult> =>
    listResult(call, listQuery(kind, call.params, own, order), { table, read: (ids) => read(call.services.db, ids, call.viewer) }),
  one: async (call: CallerCall<Named, HasReadModel>): Promise<NativeResult> => {
    const found = await objectNamed(call, read, call.params.filter);
    return objectResult(table, found, found.id);
  },
});

/** A page of deleted things; `emptyName` is the plural name of an empty list in versions 5 and 6, as recorded. */
export const deletedPage = async <T>(
  call: CallerCall<ListParams, Services>,
  kind: ListKind,
  { table, read, emptyName }: { readonly table: NativeTable<T>; readonly read: ReadPage<T>; readonly emptyName?: string },
): Promise<NativeResult> => {
  const result = await listResult(call, listQuery(kind, call.params, [], by('id')), {
    table,
    read: (ids) => read(call.services.db, ids, call.viewer),
    // XML has no counters here.
    counted: call.format === 'json',
  });
  const isOldEmpty = result.items.isEmpty && call.policy.version < 8;
  return isOldEmpty && emptyName !== undefined ? { ...result, name: emptyName } : result;
};

/** Lists what belongs to the thing that `filter` names, by the condition `name` with its id. @throws NativeRefusal 4704 */
export const below =
  <S extends HasReadModel>(
    read: ReadByIds<{ readonly id: number }>,
    name: string,
    list: (call: CallerCall<ListParams, S>, own: readonly Condition[]) => Promise<NativeResult>,
  ) =>
  async (call: CallerCall<ListParams & Named, S>): Promise<NativeResult> => {
    const { filter, ...params } = call.params;
    const { id } = await objectNamed(call, read, filter);
    return list({ ...call, params }, [{ name, value: String(id) }]);
  };
