import type { ManageTypes } from '@continuo/client';
import { foldName } from '@continuo/contracts';
import { OperatorError } from '@continuo/operations';
import { orNotFound, type Api } from '../connect/api.js';

/** A playlist as the management API shows it. */
export type Playlist = ManageTypes['schemas']['Playlist'];

/** All playlists by name, or those of a name and such as differ from it by a leading article. */
export const playlistsOf = (api: Api, filter: { readonly name?: string }): Promise<Playlist[]> =>
  api.all((client, cursor) => client.GET('/playlists', { params: { query: { limit: 500, ...filter, ...cursor } } }));

/**
 * The playlist that a person means: a number, or a name in any case.
 * @throws OperatorError when there is none, or several have the name
 */
export const findPlaylist = async (api: Api, wanted: string): Promise<Playlist> => {
  const byNumber = /^[1-9]\d{0,8}$/.test(wanted)
    ? await orNotFound(
        'playlist.not-found',
        api.ask((client) => client.GET('/playlists/{id}', { params: { path: { id: Number(wanted) } } })),
      )
    : undefined;
  if (byNumber) return byNumber;
  const named = (await playlistsOf(api, { name: wanted })).filter(({ name }) => foldName(name) === foldName(wanted));
  const [first, second] = named;
  if (first === undefined) throw new OperatorError(`there is no playlist "${wanted}"`, '"continuo playlist list" shows all playlists');
  if (second !== undefined)
    throw new OperatorError(`several playlists are called "${wanted}"`, `give a number instead: ${named.map(({ id }) => id).join(', ')}`);
  return first;
};
