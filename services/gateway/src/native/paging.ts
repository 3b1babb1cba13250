import type { Places } from '../http/places.js';
import type { IdList } from '../reads/id-list.js';
import { conditionsOf, knowsSort } from '../reads/list-definitions.js';
import type { Condition, ListKind, ListQuery, SortOrder } from '../reads/list-query.js';
import type { ObjectTable } from '../render/index.js';
import type { CallerCall } from './method.js';
import type { NativeContext } from './objects/context.js';
import type { RawParams } from './params.js';
import { itemsFrom, type NativeResult } from './result.js';

/** What list methods read of the common parameters. */
export interface ListParams {
  readonly offset: number;
  /** Undefined: no cap. */
  readonly limit: number | undefined;
  readonly cond?: readonly Condition[];
  readonly sort?: SortOrder | undefined;
  readonly filter?: string | undefined;
  readonly exact?: boolean;
  readonly add?: { readonly from: number; readonly to: number | undefined } | undefined;
  readonly update?: { readonly from: number; readonly to: number | undefined } | undefined;
}

/** Answers of up to this many objects are held whole, so that a failure still has an envelope; larger ones flow. */
const AT_ONCE = 5000;
/** How many objects are read at a time while a list flows. */
const BATCH = 1000;

const rangeConditions = (name: string, range: ListParams['add']): Condition[] => {
  if (!range) return [];
  const from = { name: `${name}_gt`, value: String(range.from) };
  return range.to === undefined ? [from] : [from, { name: `${name}_lt`, value: String(range.to) }];
};

const textCondition = ({ filter, exact }: ListParams): Condition[] =>
  filter === undefined || filter === '' ? [] : [{ name: exact ? 'exact_match' : 'alpha_match', value: filter }];

/**
 * The query of a list method: what the method itself demands, the common parameters, then `cond`, where a name that comes again replaces
 * the earlier one (browse.md). An unknown sort leaves the method's order. `alpha_match` of `cond` also replaces `filter`, which is that filter.
 */
export const listQuery = (kind: ListKind, params: ListParams, own: readonly Condition[], order: SortOrder): ListQuery => {
  const demanded = [...own, ...textCondition(params), ...rangeConditions('add', params.add), ...rangeConditions('update', params.update)];
  const sort = params.sort && knowsSort(kind, params.sort.name) ? params.sort : order;
  return { kind, where: conditionsOf(kind, demanded, params.cond ?? []), sort };
};

/** The first version whose lists take conditions and orders (browse.md). */
const CONDITIONS_SINCE = 6;
/** Actions that took them before, or to which the names mean something else. */
const EARLIER: readonly string[] = ['albums', 'playlists', 'playlist_edit'];

/** The parameters of a call as its version knows them: before version 6 lists take neither `cond` nor `sort`. */
export const knownParams = (raw: RawParams, action: string, version: number): RawParams => {
  if (version >= CONDITIONS_SINCE || EARLIER.includes(action)) return raw;
  return Object.assign(Object.create(null) as RawParams, raw, { cond: '', sort: '' });
};

/** Ascending order by a name. */
export const by = (name: string): SortOrder => ({ name, descending: false });

/** How the objects of a page are read: `start` is the place of the first id inside the page. */
export type ReadPage<T> = (ids: Int32Array, start: number) => Promise<Iterable<T>>;

async function* batches<T>(ids: Int32Array, read: ReadPage<T>): AsyncGenerator<Iterable<T>> {
  const readFrom = (start: number): Promise<Iterable<T>> => {
    const batch = read(ids.subarray(start, start + BATCH), start);
    // A batch that nobody takes any more, because the client has gone, may fail unseen; whoever awaits it still sees the failure.
    batch.catch(() => undefined);
    return batch;
  };
  let next = readFrom(0);
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = await next;
    // The next batch is read while this one is written.
    if (start + BATCH < ids.length) next = readFrom(start + BATCH);
    yield batch;
  }
}

/** A flow that takes one of the places of long lists while it is read. */
export async function* inPlace<T>(source: AsyncIterable<T>, places: Places): AsyncGenerator<T> {
  const giveBack = await places.take();
  try {
    yield* source;
  } finally {
    giveBack();
  }
}

/** One page of a list while it is read: batch after batch, the next one while its reader is at work on the last. */
export interface PageFlow<T> {
  readonly batches: AsyncIterable<Iterable<T>>;
  readonly isEmpty: boolean;
  /** True for a page that is too long to be held whole. */
  readonly isLong: boolean;
}

/** Cuts the page out of a list and reads its objects: a short one at once, a long one while it is written, with flat memory. */
export const readPage = <T>(
  call: Pick<CallerCall<Pick<ListParams, 'offset' | 'limit'>>, 'params' | 'services'>,
  list: IdList,
  read: ReadPage<T>,
): PageFlow<T> => {
  const ids = list.page(call.params.offset, call.params.limit);
  const isLong = ids.length > AT_ONCE;
  const coming = batches(ids, read);
  return { batches: isLong ? inPlace(coming, call.services.listPlaces) : coming, isEmpty: ids.length === 0, isLong };
};

/** One page of a list as its kind's envelope holds it, see {@link readPage}. */
export const pageResult = async <T>(
  call: Pick<CallerCall<Pick<ListParams, 'offset' | 'limit'>>, 'params' | 'services'>,
  list: IdList,
  shape: { readonly table: ObjectTable<T, NativeContext>; readonly read: ReadPage<T>; readonly counted?: boolean },
): Promise<NativeResult> => {
  const { table, read, counted = true } = shape;
  const page = readPage(call, list, read);
  const items = itemsFrom(table, page.batches, page);
  return { kind: 'list', name: table.kind, counted, list, items };
};

/** Lists what a query finds, one page of it. */
export const listResult = async <T>(
  call: CallerCall<ListParams>,
  query: ListQuery,
  shape: { readonly table: ObjectTable<T, NativeContext>; readonly read: ReadPage<T>; readonly counted?: boolean },
): Promise<NativeResult> => pageResult(call, await call.services.lists.ids(query, call.viewer), shape);
