import {
  collectedKinds,
  MAX_COLLECTION_COLLABORATORS,
  MAX_COLLECTION_NAME,
  userId,
  type CollectedKind,
  type UserId,
} from '@continuo/contracts';
import { z } from 'zod';
import {
  collect,
  editCollection,
  endCollection,
  makeCollection,
  openCollection,
  removeMembers,
  type CollectionChanges,
} from '../../../../features/playlist/collections.js';
import {
  collectionList,
  collectionsByIds,
  isCollectable,
  seenInCollection,
  type CollectionRecord,
  type CollectionView,
} from '../../../../features/playlist/collections.reads.js';
import { listMd5 } from '../../../../reads/lists/id-list.js';
import { rightsOf, type ListRights } from '../../../../reads/visibility/playlist-access.js';
import { userByIdOrName } from '../../../../reads/people/users.reads.js';
import { AS_ATTRIBUTE, buildObject, fieldNode, listNode, objectNode, type Node } from '../../../../render/index.js';
import { badValue, duplicate, missing, NativeRefusal, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { collectionObject } from '../../objects/collection.object.js';
import { pageResult } from '../../paging.js';
import { idOf, limit, offset, required } from '../../params.js';
import { heldList, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import type { TypeServices } from '../lists/native-types.js';
import { readEntries } from '../lists/list-entries.js';

type Services = TypeServices;
const { method } = methodsUsing<Services>();

const versions: readonly ApiVersion[] = [8];
const optional = z.string().optional();
const named = { filter: required };
const success = (message: string): NativeResult => ({ kind: 'success', message });

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** Collection of a call. @throws NativeRefusal 4704; 4703 when the caller may only read it */
const collectionFor = async (
  call: CallerCall<{ readonly filter: string }, Services>,
  right: keyof ListRights,
): Promise<CollectionRecord> => {
  const record = await openCollection(call, idOf(call.params.filter));
  if (!record) throw notFound('filter', call.params.filter);
  if (!rightsOf(call.viewer, record)[right]) throw new NativeRefusal(4703, 'account', 'Access Denied');
  return record;
};

/** Parses a kind, also the rating type of smartlists. @throws NativeRefusal 4710 */
const kindOf = (parameter: string, text: string): CollectedKind => {
  const name = text.trim().toLowerCase();
  const kind = collectedKinds.find((known) => known === (name === 'search' ? 'smartlist' : name));
  if (!kind) throw badValue(parameter, text, oneOf(collectedKinds));
  return kind;
};

/** @throws NativeRefusal 4710 for an empty or too long name */
const nameOf = (text: string): string => {
  const name = text.toWellFormed().replaceAll('\0', '').trim();
  if (name === '' || name.length > MAX_COLLECTION_NAME)
    throw badValue('name', text, `must be a name of 1 to ${MAX_COLLECTION_NAME} characters`);
  return name;
};

const isPublicOf = (text: string): boolean => {
  const type = text.trim().toLowerCase();
  if (type !== 'public' && type !== 'private') throw badValue('type', text, oneOf(['public', 'private']));
  return type === 'public';
};

const viewOf = async (
  { services, viewer, params }: CallerCall<{ readonly filter: string }, Services>,
  id: number,
): Promise<CollectionView> => {
  const [view] = await collectionsByIds(services.db, [id], viewer);
  if (!view) throw notFound('filter', params.filter);
  return view;
};

/** A list of one collection. */
const collectionResult = async (call: CallerCall<{ readonly filter: string }, Services>, id: number): Promise<NativeResult> =>
  heldList(collectionObject, [await viewOf(call, id)], { counted: false, md5: listMd5(Int32Array.of(id)) });

/** Id of an object; smartlists with or without prefix. */
const objectIdOf = (kind: CollectedKind, text: string): number | undefined =>
  idOf(kind === 'smartlist' ? text.trim().replace(/^smart_/, '') : text);

/** Parses `items` and `tracks`: objects as `type:id` and their positions. @throws NativeRefusal 4710, 4704 for unknown objects */
const placesOf = async (
  call: CallerCall<{ items?: string | undefined; tracks?: string | undefined }, Services>,
): Promise<CollectionChanges['places']> => {
  const { items, tracks } = call.params;
  if (!isGiven(items) && !isGiven(tracks)) return [];
  const things = (items ?? '').split(',').map((item) => {
    const [type = '', id = ''] = item.split(':');
    const kind = kindOf('items', type);
    return { kind, objectId: objectIdOf(kind, id), text: item };
  });
  const positions = (tracks ?? '').split(',').map((text) => idOf(text));
  if (positions.length !== things.length || positions.includes(undefined))
    throw badValue('tracks', tracks ?? '', 'must be as many places, from 1, as there are items');
  return Promise.all(
    things.map(async ({ kind, objectId, text }, index) => {
      if (objectId === undefined || !(await isCollectable(call.services.db, { kind, objectId }, call.viewer)))
        throw notFound('items', text);
      return { kind, objectId, position: positions[index] ?? 0 };
    }),
  );
};

/** Parses accounts by id or name, as a comma list; empty removes all. */
const collaboratorsOf = async ({ services }: CallerCall<unknown, Services>, text: string | undefined): Promise<UserId[] | undefined> => {
  if (text === undefined) return undefined;
  const names = text.split(',').filter((name) => name.trim() !== '');
  if (names.length > MAX_COLLECTION_COLLABORATORS)
    throw badValue('collaborate', `${names.length} accounts`, `must be ${MAX_COLLECTION_COLLABORATORS} accounts at most`);
  const users = await Promise.all(
    names.map(async (name) => {
      const user = await userByIdOrName(services.db, name.trim());
      if (!user) throw notFound('collaborate', name);
      return userId.parse(user.id);
    }),
  );
  return [...new Set(users)];
};

const edited = z.object({
  ...named,
  type: optional,
  collaborate: optional,
  items: optional,
  name: optional,
  object_type: optional,
  tracks: optional,
});

/** An empty `object_type` allows any kind. Collaborators change entries; the rest is for the owner. */
const edit = async (call: CallerCall<z.output<typeof edited>, Services>): Promise<NativeResult> => {
  const { params } = call;
  const isOwners = [params.type, params.name].some(isGiven) || params.collaborate !== undefined || params.object_type !== undefined;
  const { id } = await collectionFor(call, isOwners ? 'own' : 'collaborate');
  await editCollection(call, id, {
    name: isGiven(params.name) ? nameOf(params.name) : undefined,
    isPublic: isGiven(params.type) ? isPublicOf(params.type) : undefined,
    objectKind:
      params.object_type === undefined ? undefined : isGiven(params.object_type) ? kindOf('object_type', params.object_type) : null,
    collaboratorIds: await collaboratorsOf(call, params.collaborate),
    places: await placesOf(call),
  });
  return collectionResult(call, id);
};

/** Object to add or remove; its kind defaults to that of the collection. */
const entryObject = (
  { id: text, object_type: type }: { readonly id?: string | undefined; readonly object_type?: string | undefined },
  { objectKind }: CollectionRecord,
): { kind: CollectedKind; objectId: number | undefined; text: string } => {
  if (text === undefined) throw missing('id');
  if (!isGiven(type) && objectKind === null) throw missing('object_type');
  const kind = isGiven(type) ? kindOf('object_type', type) : (objectKind ?? 'song');
  return { kind, objectId: objectIdOf(kind, text), text };
};

const added = z.object({ ...named, id: optional, object_type: optional });
const removed = added.extend({ track: optional });

const add = async (call: CallerCall<z.output<typeof added>, Services>): Promise<NativeResult> => {
  const record = await collectionFor(call, 'collaborate');
  const { kind, objectId, text } = entryObject(call.params, record);
  if (objectId === undefined || !(await isCollectable(call.services.db, { kind, objectId }, call.viewer))) throw notFound('id', text);
  if (!(await collect(call, record.id, { kind, objectId }))) throw duplicate(text);
  return success('item added to collection');
};

/** Removes the entry at a position, or all entries of an object; unknown ones are no error. */
const remove = async (call: CallerCall<z.output<typeof removed>, Services>): Promise<NativeResult> => {
  const record = await collectionFor(call, 'collaborate');
  const { track, id } = call.params;
  if (id === undefined && track !== undefined) {
    const position = idOf(track);
    if (!(await removeMembers(call, record.id, (_, at) => at === position))) throw notFound('track', track);
  } else {
    const thing = entryObject(call.params, record);
    await removeMembers(call, record.id, ({ kind, objectId }) => kind === thing.kind && objectId === thing.objectId);
  }
  return success('item removed from collection');
};

const items = async (call: CallerCall<{ filter: string; offset: number; limit: number | undefined }, Services>): Promise<NativeResult> => {
  const { services, viewer, params } = call;
  const { id } = await collectionFor(call, 'open');
  const [view, members] = await Promise.all([viewOf(call, id), seenInCollection(services.db, id, viewer)]);
  const page = members
    .map((member, index) => ({ ...member, track: index + 1 }))
    .slice(params.offset, params.limit === undefined ? undefined : params.offset + params.limit);
  const held = await readEntries(call, page);
  return {
    kind: 'fields',
    build: (rendering) => {
      const nodeOf = held(rendering);
      const contents = page.flatMap((member): Node[] => {
        const node = nodeOf(member);
        if (!node) return [];
        const { track, entry, kind } = member;
        return [
          objectNode([
            fieldNode('track', track, AS_ATTRIBUTE),
            fieldNode('track_id', entry, AS_ATTRIBUTE),
            fieldNode('object_type', kind, AS_ATTRIBUTE),
            fieldNode(kind, node),
          ]),
        ];
      });
      const { fields } = buildObject(collectionObject, view, rendering.context, rendering.profile);
      const list = fieldNode('contents', listNode(contents), { json: 'key', xml: 'wrapped', item: 'item' });
      return objectNode([fieldNode(collectionObject.kind, objectNode([...fields, list]))]);
    },
  };
};

const kindParameter = { aliases: { object_type: ['object_type', 'type'] } } as const;

/** Methods about collections: ordered lists of objects of any kind. */
export const collectionMethods = {
  collections: method({
    versions,
    access: 5,
    params: z.object({ type: optional, offset, limit }),
    run: async (call) => {
      const { type } = call.params;
      const list = await collectionList(call.services.db, call.viewer, isGiven(type) ? kindOf('type', type) : undefined);
      return pageResult(call, list, {
        table: collectionObject,
        counted: false,
        read: (ids) => collectionsByIds(call.services.db, ids, call.viewer),
      });
    },
  }),
  collection: method({
    versions,
    access: 5,
    params: z.object(named),
    run: async (call) => collectionResult(call, (await collectionFor(call, 'open')).id),
  }),
  collection_items: method({ versions, access: 5, params: z.object({ ...named, offset, limit }), run: items }),
  collection_create: method({
    versions,
    access: 5,
    params: z.object({ type: optional, name: required, object_type: optional }),
    run: async (call) => {
      const { type, name, object_type: kind } = call.params;
      const id = await makeCollection(call, {
        name: nameOf(name),
        isPublic: isGiven(type) && isPublicOf(type),
        objectKind: isGiven(kind) ? kindOf('object_type', kind) : null,
      });
      return collectionResult({ ...call, params: { filter: String(id) } }, id);
    },
  }),
  collection_edit: method({
    versions,
    access: 5,
    params: edited,
    run: edit,
  }),
  collection_delete: method({
    versions,
    access: 5,
    params: z.object(named),
    run: async (call) => {
      await endCollection(call, (await collectionFor(call, 'own')).id);
      return success('collection deleted');
    },
  }),
  collection_add: method({
    versions,
    access: 5,
    ...kindParameter,
    params: added,
    run: add,
  }),
  collection_remove: method({
    versions,
    access: 5,
    ...kindParameter,
    params: removed,
    run: remove,
  }),
};
