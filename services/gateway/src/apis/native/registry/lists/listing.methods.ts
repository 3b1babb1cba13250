import { z } from 'zod';
import { childIds, MAX_CHILDREN } from '../../../../reads/library/children.reads.js';
import type { IdList } from '../../../../reads/lists/id-list.js';
import { namesByIds, namesMd5 } from '../../../../kinds/names.reads.js';
import { fieldNode, objectNode, renderedList, renderedMembers } from '../../../../render/index.js';
import { requireSharing } from '../../../../features/share/share-policy.js';
import { songIdsBySmartlist } from '../../../../features/smartlists/index.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { indexEntryObject, listItemObject, type IndexEntry } from '../../objects/named.object.js';
import { by, listQuery, pageResult, readPage, type ListParams, type PageFlow } from '../../paging.js';
import { changed, flag, matching, paging, required } from '../../params.js';
import type { NativeResult } from '../../result.js';
import { listScope } from './reading-playlists.js';
import { listedType, objectsOf, type NamedType } from './listed-types.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasConfig, HasCommands, HasSealer, HasLog } from '../../../../server/needs.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasStationTitles } from '../../../../features/live-stream/station-titles.js';

type Services = HasConfig & HasReadModel & HasLists & HasPreferences & HasSmartlists & HasCommands & HasSealer & HasLog & HasStationTitles;
const { method } = methodsUsing<Services>();

const listing = {
  type: required,
  ...matching,
  ...changed,
  ...paging,
  hide_search: flag,
};

type Listing = ListParams & { readonly type: string; readonly hide_search: boolean };

/** Type of a call, after the caller's preferences. */
const typeOf = async (call: CallerCall<Listing, Services>): Promise<NamedType> => {
  const type = listedType(call, call.params.type);
  if (type.kind !== 'playlist_search') return type;
  return { ...type, ...(await listScope(call, { hidesSearches: call.params.hide_search })) };
};

/** All objects of a type that match the parameters, in order. */
const listOf = async (call: CallerCall<Listing, Services>, type: NamedType): Promise<IdList> => {
  if (type.kind === 'share') await requireSharing(call.services, call.context.caller.account.id);
  return call.services.lists.ids(listQuery(type.kind, call.params, type.own ?? [], by('name')), call.viewer);
};

/** Empty answer: counters and an empty list under the type's name. */
const nothing = (type: NamedType, list: IdList): NativeResult => ({
  kind: 'list',
  name: type.name,
  counted: true,
  list,
  items: { isEmpty: true, isLong: false, render: () => [] },
});

const named = async (call: CallerCall<Listing, Services>): Promise<NativeResult> => {
  const type = await typeOf(call);
  const list = await listOf(call, type);
  if (list.total === 0) return nothing(type, list);
  const { db } = call.services;
  const md5 = await namesMd5(db, type.kind, list);
  const page = await pageResult(call, list, {
    table: listItemObject,
    read: async (ids) => (await namesByIds(db, type.kind, ids, call.viewer)).map((view) => ({ ...view, id: spelledId(list, view.id) })),
  });
  return { ...page, list: { total: list.total, md5 } };
};

/** Formats an id: some lists have string ids. */
const spelledId = ({ spell }: IdList, id: number): number | string => spell?.(id) ?? id;

/** Entries of an index: ids, or ids with children. */
const entriesOf = (
  call: CallerCall<unknown, Services>,
  { type, list }: { readonly type: NamedType; readonly list: IdList },
  withChildren: boolean,
) => {
  const relation = withChildren ? type.children?.relation : undefined;
  const none = new Int32Array(0);
  return async (ids: Int32Array): Promise<IndexEntry[]> => {
    const childrenOf = relation ? await childIds(call.services.db, relation, ids, call.viewer) : () => none;
    // Smartlists have negative ids among playlists; their entries are not stored.
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

/** Index in JSON: ids under the type's name, or each id as the key of its children. Version 6 writes ids as numbers. */
const indexInJson = (
  call: CallerCall<unknown, Services>,
  type: NamedType,
  page: PageFlow<IndexEntry>,
  children: string | undefined,
): NativeResult => {
  const isText = (id: number | string): boolean => call.policy.version >= 8 || !/^\d+$/.test(String(id));
  const spelled = (id: number | string): string => (isText(id) ? `"${id}"` : String(id));
  const childText = (id: number): string => `{"id":${spelled(id)},"type":"${children}"}`;
  const member = ({ id, children: ids }: IndexEntry): string => `"${id}":[${Array.from(ids, childText).join(',')}]`;
  const items =
    children === undefined
      ? renderedList(
          written(page.batches, ({ id }) => spelled(id)),
          page.isLong,
        )
      : renderedMembers(written(page.batches, member), page.isLong);
  return { kind: 'fields', build: () => objectNode([fieldNode(type.name, items)]) };
};

const index = async (call: CallerCall<Listing & { include: boolean }, Services>): Promise<NativeResult> => {
  const type = await typeOf(call);
  const list = await listOf(call, type);
  if (list.total === 0) return nothing(type, list);
  const children = call.params.include ? type.children?.kind : undefined;
  const read = entriesOf(call, { type, list }, children !== undefined);
  // All roles of artists are `artist` in XML, with counters only there.
  if (call.format === 'xml')
    return pageResult(call, list, {
      table: indexEntryObject(type.kind === 'playlist_search' ? 'playlist' : type.kind, children ?? 'id'),
      read,
    });
  return indexInJson(call, type, readPage(call, list, read), children);
};

/** Methods that list objects by id, by name, or complete in versions up to 6. */
export const listingMethods = {
  list: method({ versions: [6, 8], access: 5, params: z.object(listing), run: named }),
  index: method({ versions: [6, 8], access: 5, params: z.object({ ...listing, include: flag }), run: index }),
  get_indexes: method({
    versions: [4, 5, 6],
    access: 5,
    params: z.object({ ...listing, include: flag }),
    run: async (call) => {
      const type = await typeOf(call);
      return objectsOf(call, type.name, await listOf(call, type), call.params.include);
    },
  }),
};
