import { collectedKinds, MAX_COLLECTION_COLLABORATORS, MAX_COLLECTION_NAME, type CollectedKind } from '@continuo/contracts';
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
import { rightsOf, type ListRights } from '../../../../reads/visibility/playlist-access.js';
import { AS_ATTRIBUTE, fieldNode } from '../../../../render/index.js';
import { badValue, duplicate, missing, NativeRefusal, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound, type Named } from '../../named-object.js';
import { collectionObject } from '../../objects/collection.object.js';
import { pageResult, slice } from '../../paging.js';
import { idOf, limit, named, offset, optional, required } from '../../params.js';
import { heldList, success, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { collaboratorsOf, isGiven, nameOf, typeOf } from './list-terms.js';
import type { TypeServices } from '../lists/native-types.js';
import { contentsResult } from '../lists/list-entries.js';

type Services = TypeServices;
const { method } = methodsUsing<Services>();

const versions: readonly ApiVersion[] = [8];

/** Collection of a call. @throws NativeRefusal 4704; 4703 when the caller may only read it */
const collectionFor = async (call: CallerCall<Named, Services>, right: keyof ListRights): Promise<CollectionRecord> => {
  const record = orNotFound(await openCollection(call, idOf(call.params.filter)), call.params.filter);
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

const viewOf = async ({ services, viewer, params }: CallerCall<Named, Services>, id: number): Promise<CollectionView> =>
  orNotFound((await collectionsByIds(services.db, [id], viewer))[0], params.filter);

/** A list of one collection. */
const collectionResult = async (call: CallerCall<Named, Services>, id: number): Promise<NativeResult> =>
  heldList(collectionObject, [await viewOf(call, id)]);

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
    name: isGiven(params.name) ? nameOf(params.name, MAX_COLLECTION_NAME) : undefined,
    isPublic: typeOf(params.type),
    objectKind:
      params.object_type === undefined ? undefined : isGiven(params.object_type) ? kindOf('object_type', params.object_type) : null,
    collaboratorIds: await collaboratorsOf(call, params.collaborate, MAX_COLLECTION_COLLABORATORS),
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
  const tracks = members.map((member, index) => ({ ...member, track: index + 1 }));
  return contentsResult(call, slice(tracks, params), {
    table: collectionObject,
    source: view,
    attributesOf: ({ track, entry }) => [fieldNode('track', track, AS_ATTRIBUTE), fieldNode('track_id', entry, AS_ATTRIBUTE)],
  });
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
        name: nameOf(name, MAX_COLLECTION_NAME),
        isPublic: typeOf(type) ?? false,
        objectKind: isGiven(kind) ? kindOf('object_type', kind) : null,
      });
      return collectionResult({ ...call, params: { filter: String(id) } }, id);
    },
  }),
  collection_edit: method({ versions, access: 5, params: edited, run: edit }),
  collection_delete: method({
    versions,
    access: 5,
    params: z.object(named),
    run: async (call) => {
      await endCollection(call, (await collectionFor(call, 'own')).id);
      return success('collection deleted');
    },
  }),
  collection_add: method({ versions, access: 5, ...kindParameter, params: added, run: add }),
  collection_remove: method({ versions, access: 5, ...kindParameter, params: removed, run: remove }),
};
