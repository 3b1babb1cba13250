import type { QueryClient } from '@tanstack/react-query';
import { api, content, type Schemas } from '../../lib/api.js';

export type Collection = Schemas['Collection'];

/** Kinds of things that this page puts into collections. */
export type CollectedKind = 'song' | 'album' | 'artist' | 'playlist';

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

/** Fields of a new or changed collection. */
export interface CollectionTerms {
  readonly name: string;
  readonly isPublic: boolean;
}

const bodyOf = ({ name, isPublic }: CollectionTerms) => ({ name, type: isPublic ? 'public' : 'private' });

const reload = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: collectionsQuery.queryKey });

/** Makes a collection, or changes the terms of one. Answers its id. @throws ApiError */
export const saveCollection = async (client: QueryClient, terms: CollectionTerms, id?: string): Promise<string> => {
  const body = bodyOf(terms);
  const { collection } = await content(
    id === undefined ? api.PUT('/collections', { body }) : api.PATCH('/collections/{collection_id}', { ...byId(id), body }),
  );
  await reload(client);
  return id ?? collection[0]?.id ?? '';
};

/** @throws ApiError */
export const deleteCollection = async (client: QueryClient, id: string): Promise<void> => {
  await content(api.DELETE('/collections/{collection_id}', byId(id)));
  await reload(client);
};

/** Puts a thing at the end of a collection. @throws ApiError */
export const collect = async (client: QueryClient, id: string, thing: { kind: CollectedKind; id: string }): Promise<void> => {
  await content(api.PUT('/collections/{collection_id}/items', { ...byId(id), body: { object_type: thing.kind, id: thing.id } }));
  await reload(client);
};

/** Takes an entry out of a collection. @param track its place, from 1 on @throws ApiError */
export const removeEntry = async (client: QueryClient, id: string, track: number): Promise<void> => {
  const params = { path: { collection_id: id }, query: { track: String(track) } };
  await content(api.DELETE('/collections/{collection_id}/items', { params }));
  await reload(client);
};
