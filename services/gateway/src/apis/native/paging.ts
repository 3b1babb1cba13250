import type { IdList } from '../../reads/lists/id-list.js';
import { conditionsOf, knowsSort, type Condition, type ListQuery, type SortOrder } from '../../reads/lists/list-query.js';
import { listDefinitions, type ListKind } from '../../kinds/index.js';
import { HELD_AT_MOST, inBatches, type ReadBatch } from '../../render/index.js';
import type { CallerCall } from './method.js';
import type { NativeTable } from './objects/native-object.js';
import type { RawParams } from './params.js';
import { itemsFrom, type NativeList } from './result.js';
import type { HasLists } from '../../kinds/index.js';

type Services = HasLists;

/** Common parameters of list methods. */
export interface ListParams {
  readonly offset: number;
  /** Undefined: no cap. */
  readonly limit: number | undefined;
  /** Places in the list that are read instead of a page. */
  readonly positions?: readonly number[] | undefined;
  readonly cond?: readonly Condition[];
  readonly sort?: SortOrder | undefined;
  readonly filter?: string | undefined;
  readonly exact?: boolean;
  readonly add?: { readonly from: number; readonly to: number | undefined } | undefined;
  readonly update?: { readonly from: number; readonly to: number | undefined } | undefined;
}

const rangeConditions = (name: string, range: ListParams['add']): Condition[] => {
  if (!range) return [];
  const from = { name: `${name}_gt`, value: String(range.from) };
  return range.to === undefined ? [from] : [from, { name: `${name}_lt`, value: String(range.to) }];
};

const textCondition = ({ filter, exact }: ListParams): Condition[] =>
  filter === undefined || filter === '' ? [] : [{ name: exact ? 'exact_match' : 'alpha_match', value: filter }];

/**
 * Query of a list method: conditions of the method, common parameters, then `cond`, where a repeated name replaces the earlier one. An
 * unknown sort keeps the method's order. `alpha_match` in `cond` replaces `filter`, which is the same filter.
 */
export const listQuery = <K extends ListKind>(kind: K, params: ListParams, own: readonly Condition[], order: SortOrder): ListQuery<K> => {
  const list = listDefinitions[kind];
  const demanded = [...own, ...textCondition(params), ...rangeConditions('add', params.add), ...rangeConditions('update', params.update)];
  const sort = params.sort && knowsSort(list, params.sort.name) ? params.sort : order;
  return { kind, where: conditionsOf(list, demanded, params.cond ?? []), sort };
};

/** First version with conditions and sorting in all lists. */
const CONDITIONS_SINCE = 6;
/** Actions that had them earlier, or with another meaning of the names. */
const EARLIER: readonly string[] = ['albums', 'playlists', 'playlist_edit'];

/** First version in which entries of a list can be read by their positions. */
export const POSITIONS_SINCE = 8;

/** Parameters known to the version: before version 6 most lists have neither `cond` nor `sort`, before version 8 none has `positions`. */
export const paramsOfVersion = (raw: RawParams, action: string, version: number): RawParams => {
  const hasConditions = version >= CONDITIONS_SINCE || EARLIER.includes(action);
  if (version >= POSITIONS_SINCE) return raw;
  return Object.assign(Object.create(null) as RawParams, raw, { positions: '' }, hasConditions ? {} : { cond: '', sort: '' });
};

/** Ascending order by a name. */
export const by = (name: string): SortOrder => ({ name, descending: false });

/** Batches of a page; the next one is read while the last one is in use. */
export interface PageFlow<T> {
  readonly batches: AsyncIterable<Iterable<T>>;
  readonly isEmpty: boolean;
  /** True when the page is too long to be held in memory. */
  readonly isLong: boolean;
}

type PageParams = Pick<ListParams, 'offset' | 'limit' | 'positions'>;

/** Ids of a page of a list, or those at the positions that are asked for. */
export const idsOfPage = (list: IdList, { offset, limit, positions }: PageParams): Int32Array =>
  positions ? list.at(positions) : list.page(offset, limit);

/** Page of what is in memory. */
export const slice = <T>(all: readonly T[], { offset, limit }: Pick<PageParams, 'offset' | 'limit'>): readonly T[] =>
  all.slice(offset, limit === undefined ? undefined : offset + limit);

/** Reads a page of a list, or the entries at its positions: a short one at once, a long one while it is written, with constant memory. */
export const readPage = <T>(call: Pick<CallerCall<PageParams, Services>, 'params'>, list: IdList, read: ReadBatch<T>): PageFlow<T> => {
  const ids = idsOfPage(list, call.params);
  return { batches: inBatches(ids, read), isEmpty: ids.length === 0, isLong: ids.length > HELD_AT_MOST };
};

/** A page of a list in its envelope, see {@link readPage}. */
export const pageResult = async <T>(
  call: Pick<CallerCall<PageParams, Services>, 'params'>,
  list: IdList,
  shape: { readonly table: NativeTable<T>; readonly read: ReadBatch<T>; readonly counted?: boolean },
): Promise<NativeList> => {
  const { table, read, counted = true } = shape;
  const page = readPage(call, list, read);
  const items = itemsFrom(table, page.batches, page);
  return { kind: 'list', name: table.kind, counted, list, items };
};

/** A page of a query's results. */
export const listResult = async <T>(
  call: CallerCall<ListParams, Services>,
  query: ListQuery<ListKind>,
  shape: { readonly table: NativeTable<T>; readonly read: ReadBatch<T>; readonly counted?: boolean },
): Promise<NativeList> => pageResult(call, await call.services.lists.ids(query, call.viewer), shape);
