import { manageClient, requestFailure, type ManageTypes } from '@continuo/client';
import type { QueryClient } from '@tanstack/react-query';
import { accountQuery } from '../../lib/account.js';
import { ApiError } from '../../lib/api.js';
import { base, session } from '../../lib/session.js';
import { playlistsQuery } from './queries.js';

/** Result of opening a playlist file. */
export type PlaylistImport = ManageTypes['schemas']['PlaylistImport'];

/** Characters of a file, as base64 begins behind the comma of a data address. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => typeof reader.result === 'string' && resolve(reader.result.replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')));
    reader.readAsDataURL(file);
  });

/** Makes a private playlist of one's own of a playlist file. @throws ApiError */
export const importPlaylist = async (client: QueryClient, file: File): Promise<PlaylistImport> => {
  const [{ id }, content] = await Promise.all([accountQuery.queryFn(), base64Of(file)]);
  const body = { fileName: file.name, content, mode: 'create', ownerId: Number(id), isPublic: false, allowSameName: false } as const;
  const { data, error, response } = await manageClient({ url: base, authorization: session.authorization }).POST('/playlists/imports', {
    body,
  });
  if (!data) throw new ApiError(requestFailure(error, response), String(response.status));
  await client.invalidateQueries({ queryKey: playlistsQuery.queryKey });
  return data;
};
