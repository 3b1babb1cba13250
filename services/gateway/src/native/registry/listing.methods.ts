import { z } from 'zod';
import { childIds, MAX_CHILDREN } from '../../reads/children.reads.js';
import type { IdList } from '../../reads/id-list.js';
import { namesByIds, namesMd5 } from '../../reads/names.reads.js';
import { fieldNode, objectNode, renderedList, renderedMembers } from '../../render/index.js';
import { requireSharing } from '../../share/share-policy.js';
import { songIdsBySmartlist } from '../../smartlists/index.js';
import { method, type CallerCall } from '../method.js';
import { indexEntryObject, listItemObject, type IndexEntry } from '../objects/named.object.js';
import { by, listQuery, pageResult, readPage, type ListParams, type PageFlow } from '../paging.js';
import { cond, dateRange, flag, limit, offset, required, sort } from '../params.js';
import type { NativeResult } from '../result.js';
import { objectsOf } from './indexed-objects.js';
import { listScope } from './reading-playlists.js';
import { listedType, type NamedType } from './listed-types.js';

const listing = {
  type: required,
  filter: z.string().optional(),
  exact: flag,
  add: dateRange,
  update: dateRange,
  offset,
  limit,
  cond,
  sort,
  hide_search: flag,
};

type Listing = ListParams & { readonly type: string; readonly hide_search: boolean };

/** The type of a call, with what the caller's preferences make of it. */
const typeOf = async (call: CallerCall<Listing>): Promise<NamedType> => {
  const type = listedType(call, call.params.type);
  if (type.kind !== 'playlist_search') return type;
  return { ...type, ...(await listScope(call, { hidesSearches: call.params.hide_search })) };
};

/** Everything of a type that the parameters leave, in order. */
const listOf = async (call: CallerCall<Listing>, type: NamedType): Promise<IdList> => {
  if (type.kind === 'share') await requireSharing(call.services, call.request.caller.account.id);
  return call.services.lists.ids(listQuery(type.kind, call.params, type.own, by('name')), call.viewer);
};

/** Nothing found: an answer with counters and an empty list under the type's name (versions.md section 3.2). */
const nothing = (type: NamedType, list: IdList): NativeResult => ({
  kind: 'list',
  name: type.name,
  counted: true,
  list,
  items: { isEmpty: true, isLong: false, render: () => [] },
});

const named = async (call: CallerCall<Listing>): Promise<NativeResult> => {
  const type = await typeOf(call);
  const list = await listOf(call, type);
  if (list.total === 0) return nothing(type, list);
  const { db } = call.services;
  const md5 = await namesMd5(db, type.kind, list);
  const page = await pageResult(call, list, {
    table: listItemObject,
    read: async (ids) => (await namesByIds(db, type.kind, ids, call.viewer)).map((view) => ({ ...view, id: spelledId(list, view.id) })),
  });
  return page.kind === 'list' ? { ...page, list: { total: list.total, md5 } } : page;
};

/** An id as clients know it: some lists have texts for ids. */
const spelledId = ({ spell }: IdList, id: number): number | string => spell?.(id) ?? id;

/** Reads the entries of an index: bare ids, or with what hangs off them. */
const entriesOf = (
  call: CallerCall<unknown>,
  { type, list }: { readonly type: NamedType; readonly list: IdList },
  withChildren: boolean,
) => {
  const relation = withChildren ? type.children?.relation : undefined;
  const none = new Int32Array(0);
  return async (ids: Int32Array): Promise<IndexEntry[]> => {
    const childrenOf = relation ? await childIds(call.services.db, relation, ids, call.viewer) : () => none;
    // Among playlists smartlists have negative numbers, and what they hold is not kept.
    const foundBy = relation
      ? await songIdsBySmartlist(
          call,
          Array.from(ids).flatMap((id) => (id < 0 ? [-id] : [])),
        )
      : () => none;
    const children = (id: number): Int32Array => (id < 0 ? foundBy(-id).subarray(0, MAX_CHILDREN) : childrenOf(id));
    return Array.from(ids, (id) => ({ id: spelledId(list, id), children: children(id) }));
  };
};

async function* written<T>(batches: AsyncIterable<Iterable<T>>, write: (item: T) => string): AsyncGenerator<string[]> {
  for await (const batch of batches) yield Array.from(batch, write);
}

/** An index in JSON: ids under the type's name, or each id as a key of its children. Version 6 writes ids as numbers (versions.md section 2). */
const indexInJson = (
  call: CallerCall<unknown>,
  type: NamedType,
  page: PageFlow<IndexEntry>,
  children: string | undefined,
): NativeResult => {
  const isText = (id: number | string): boolean => call.policy.version >= 8 || !/^\d+$/.test(String(id));
  const spelled = (id: number | string): string => (isText(id) ? `"${id}"` : String(id));
  const childText = (id: number): string => `{"id":${spelled(id)},"type":"${children}"}`;
  const member = ({ id, children: ids }: IndexEntry): string => `"${id}":[${Array.from(ids, childText).join(',')}]`;
  const items =
    children === undefined ? renderedList(written(page.batches, ({ id }) => spelled(id))) : renderedMembers(written(page.batches, member));
  return { kind: 'fields', isLong: page.isLong, build: () => objectNode([fieldNode(type.name, items)]) };
};

const index = async (call: CallerCall<Listing & { include: boolean }>): Promise<NativeResult> => {
  const type = await typeOf(call);
  const list = await listOf(call, type);
  if (list.total === 0) return nothing(type, list);
  const children = call.params.include ? type.children?.kind : undefined;
  const read = entriesOf(call, { type, list }, children !== undefined);
  // The roles of artists are all called `artist` in XML, and carry counters there alone.
  if (call.format === 'xml')
    return pageResult(call, list, {
      table: indexEntryObject(type.kind === 'playlist_search' ? 'playlist' : type.kind, children ?? 'id'),
      read,
    });
  return indexInJson(call, type, readPage(call, list, read), children);
};

/** Methods that list the things of a type by id, by name, or whole as versions up to 6 have them. */
export const listingMethods = {
  list: method({ versions: [6, 8], access: 5, params: z.object(listing), run: named }),
  index: method({ versions: [6, 8], access: 5, params: z.object({ ...listing, include: flag }), run: index }),
  get_indexes: method({
    versions: [4, 5, 6],
    access: 5,
    params: z.object({ ...listing, include: flag }),
    run: async (call) => {
      const type = await typeOf(call);
      return objectsOf(call, type.kind, await listOf(call, type), call.params.include);
    },
  }),
};
