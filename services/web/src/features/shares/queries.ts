import type { QueryClient } from '@tanstack/react-query';
import { api, content, type Share } from '../../lib/api.js';

/** Kinds of objects that are shared here. */
export type SharedKind = 'song' | 'album' | 'artist' | 'playlist';

/** Terms of a share. */
export interface ShareTerms {
  readonly description: string;
  /** Days from its beginning until it ends; 0 for never. */
  readonly days: number;
}

const DAY_S = 86_400;

/** When a share ends; undefined for never. */
export const endOf = ({ creation_date: madeAtS, expire_days: days }: Pick<Share, 'creation_date' | 'expire_days'>): Date | undefined =>
  days > 0 ? new Date((madeAtS + days * DAY_S) * 1000) : undefined;

/** Shares that may be changed, the newest first. */
export const sharesQuery = {
  queryKey: ['shares'],
  queryFn: async (): Promise<readonly Share[]> => {
    const { share } = await content(api.GET('/shares', { params: { query: { limit: 'none' } } }));
    return share.toSorted((one, other) => other.creation_date - one.creation_date);
  },
};

const create = (kind: SharedKind, id: string, body: { readonly description: string; readonly expires: string }) => {
  switch (kind) {
    case 'song':
      return api.POST('/songs/{song_id}/share', { params: { path: { song_id: id } }, body });
    case 'album':
      return api.POST('/albums/{album_id}/share', { params: { path: { album_id: id } }, body });
    case 'artist':
      return api.POST('/artists/{artist_id}/share', { params: { path: { artist_id: id } }, body });
    case 'playlist':
      return api.POST('/playlists/{playlist_id}/share', { params: { path: { playlist_id: id } }, body });
  }
};

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: ['shares'] });

/** Shares an object by an address that anybody may open. @throws ApiError, such as where sharing is turned off */
export const createShare = async (
  client: QueryClient,
  { kind, id }: { readonly kind: SharedKind; readonly id: string },
  { description, days }: ShareTerms,
): Promise<Share> => {
  const made = await content(create(kind, id, { description, expires: String(days) }));
  await refresh(client);
  return made;
};

/** Changes the terms of a share. @throws ApiError */
export const changeShare = async (client: QueryClient, id: string, { description, days }: ShareTerms): Promise<void> => {
  const body = { description, expires: String(days) };
  await content(api.PATCH('/shares/{share_id}', { params: { path: { share_id: id } }, body }));
  await refresh(client);
};

/** Ends a share: its address opens nothing any more. @throws ApiError */
export const deleteShare = async (client: QueryClient, id: string): Promise<void> => {
  await content(api.DELETE('/shares/{share_id}', { params: { path: { share_id: id } } }));
  await refresh(client);
};
