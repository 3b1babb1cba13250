import { z } from 'zod';
import type { FuzzAccount } from './accounts.js';
import { PRIVATE_CANARY } from './canaries.js';

/** Asks the native API as an account. @throws Error when it refuses */
export const asker =
  (url: string, { apiKey }: FuzzAccount) =>
  async (action: string, params: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const query = new URLSearchParams({ action, version: '8.0.0', ...params }).toString();
    const answer: unknown = await (
      await fetch(`${url}/server/json.server.php?${query}`, { headers: { authorization: `Bearer ${apiKey}` } })
    ).json();
    const refused = z.object({ error: z.object({ errorMessage: z.string() }) }).safeParse(answer);
    if (refused.success) throw new Error(`${action} was refused: ${refused.data.error.errorMessage}`);
    return answer;
  };

const listed = z.object({ song: z.array(z.object({ id: z.string() })) });

/** Ids of all songs that an account sees. */
export const songIdsOf = async (url: string, account: FuzzAccount): Promise<string[]> =>
  listed.parse(await asker(url, account)('songs', { limit: 'none' })).song.map(({ id }) => id);

/** Has the onlooker keep, say and play things that nobody else may hear of, among them songs of the hidden catalog. */
export const keepPrivateThings = async (url: string, onlooker: FuzzAccount, hidden: readonly string[]): Promise<void> => {
  const ask = asker(url, onlooker);
  const [song = ''] = hidden;
  const { id } = z.object({ id: z.string() }).parse(await ask('playlist_create', { name: `${PRIVATE_CANARY} list`, type: 'private' }));
  await ask('playlist_add', { filter: id, type: 'song', id: song });
  await ask('collection_create', { name: `${PRIVATE_CANARY} collection`, type: 'private', object_type: 'song' });
  await ask('playlist_folder_create', { name: `${PRIVATE_CANARY} folder` });
  await ask('bookmark_create', { filter: song, type: 'song', position: '5', client: `${PRIVATE_CANARY} client` });
  await ask('share_create', { filter: song, type: 'song', description: `${PRIVATE_CANARY} share` });
  await ask('flag', { type: 'song', id: song, flag: '1' });
  await ask('rate', { type: 'song', id: song, rating: '5' });
  await ask('record_play', { id: song, client: `${PRIVATE_CANARY} player` });
};
