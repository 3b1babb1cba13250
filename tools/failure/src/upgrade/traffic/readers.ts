import type { Client } from './client.js';

/** Requests of a reader in turn: both APIs, cheap and expensive, over the tables of each service. */
const questions: readonly ((client: Client) => Promise<unknown>)[] = [
  (client) => client.native('read', 'songs', { limit: '50' }),
  (client) => client.native('read', 'albums', { limit: '50', include: 'songs' }),
  (client) => client.native('read', 'artists', { limit: '50' }),
  (client) => client.native('read', 'playlists', { limit: '20' }),
  (client) => client.native('read', 'catalogs'),
  (client) => client.native('read', 'stats', { type: 'song', filter: 'frequent', limit: '10' }),
  (client) => client.native('read', 'search_songs', { filter: 'a', limit: '10' }),
  (client) => client.native('read', 'user'),
  (client) => client.compat('read', 'ping'),
  (client) => client.compat('read', 'getAlbumList2', { type: 'alphabeticalByName', size: '50' }),
  (client) => client.compat('read', 'getAlbumList2', { type: 'highest', size: '20' }),
  (client) => client.compat('read', 'getIndexes'),
  (client) => client.compat('read', 'search3', { query: 'a' }),
  (client) => client.compat('read', 'getRandomSongs', { size: '20' }),
  (client) => client.compat('read', 'getPlaylists'),
];

/** Asks one thing after the other. */
export const readOn = async (client: Client, first: number, isOver: () => boolean): Promise<void> => {
  for (let turn = first; !isOver(); turn += 1) await questions[turn % questions.length]?.(client);
};

/** Reads whole media, and parts of them, and compares them with what they have to be. @returns media that were other bytes */
export const streamOn = async (client: Client, media: ReadonlyMap<number, Uint8Array>, isOver: () => boolean): Promise<string[]> => {
  const wrong: string[] = [];
  const songs = [...media];
  for (let turn = 0; !isOver() && songs.length > 0; turn += 1) {
    const [songId, whole] = songs[turn % songs.length] as [number, Uint8Array];
    const from = turn % 2 === 0 ? undefined : Math.floor((whole.length * (turn % 10)) / 10);
    const bytes = await client.bytes('stream', songId, from);
    if (bytes && Buffer.compare(bytes, whole.subarray(from ?? 0)) !== 0)
      wrong.push(`song ${songId} from ${from ?? 0}: ${bytes.length} bytes`);
  }
  return wrong;
};
