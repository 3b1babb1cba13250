import { api, content, type Schemas } from '../../lib/api.js';
import { reload } from '../../lib/client.js';
import type { ListTerms } from '../../ui/fields.js';
import type { NamedThing } from '../songs/index.js';

export type Collection = Schemas['Collection'];

const byId = (id: string) => ({ params: { path: { collection_id: id } } });

/** Collections that may be seen. */
export const collectionsQuery = {
  queryKey: ['collections'],
  queryFn: async (): Promise<readonly Collection[]> => {
    const { collection } = await content(api.GET('/collections', { params: { query: { limit: 'none' } } }));
    return collection;
  },
};

/** A collection with what is in it, in its order. */
export const collectionQuery = (id: string) => ({
  queryKey: ['collections', id],
  queryFn: async () => (await content(api.GET('/collections/{collection_id}/items', byId(id)))).collection,
});
export type Contents = Awaited<ReturnType<ReturnType<typeof collectionQuery>['queryFn']>>['contents'];

/** Makes a collection, or changes the terms of one. Answers its id. @throws ApiError */
export const saveCollection = async ({ name, isPublic }: ListTerms, id?: string): Promise<string> => {
  const body = { name, type: isPublic ? 'public' : 'private' };
  const { collection } = await content(
    id === undefined ? api.PUT('/collections', { body }) : api.PATCH('/collections/{collection_id}', { ...byId(id), body }),
  );
  await reload(collectionsQuery.queryKey);
  return id ?? collection[0]?.id ?? '';
};

/** @throws ApiError */
export const deleteCollection = async (id: string): Promise<void> => {
  await content(api.DELETE('/collections/{collection_id}', byId(id)));
  await reload(collectionsQuery.queryKey);
};

/** Puts a thing at the end of a collection. @throws ApiError */
export const collect = async (id: string, thing: NamedThing): Promise<void> => {
  await content(api.PUT('/collections/{collection_id}/items', { ...byId(id), body: { object_type: thing.kind, id: thing.id } }));
  await reload(collectionsQuery.queryKey);
};

/** Takes an entry out of a collection. @param track its place, from 1 on @throws ApiError */
export const removeEntry = async (id: string, track: number): Promise<void> => {
  const params = { path: { collection_id: id }, query: { track: String(track) } };
  await content(api.DELETE('/collections/{collection_id}/items', { params }));
  await reload(collectionsQuery.queryKey);
};
