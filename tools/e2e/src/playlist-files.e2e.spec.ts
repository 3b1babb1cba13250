import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

interface List {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly public: boolean;
  readonly songCount: number;
  readonly entry?: readonly { readonly id: string; readonly title: string }[];
}
interface Answer {
  readonly error?: { readonly code: number };
  readonly playlist?: List;
  readonly playlists?: { readonly playlist: readonly List[] };
}

let journey: Journey;

const compat = async (operation: string, params: readonly (readonly [string, string])[] = []): Promise<Answer> => {
  const query = new URLSearchParams({ apiKey: administrator.apiKey, v: '1.16.1', c: 'e2e', f: 'json' });
  for (const [name, value] of params) query.append(name, value);
  const response = await fetch(`${journey.server.url}/rest/${operation}.view`, { method: 'POST', body: query });
  return ((await response.json()) as { 'subsonic-response': Answer })['subsonic-response'];
};
const lists = async (): Promise<readonly List[]> => (await compat('getPlaylists')).playlists?.playlist ?? [];
const list = async (id: string): Promise<List | undefined> => (await compat('getPlaylist', [['id', id]])).playlist;
const titles = async (id: string): Promise<readonly string[]> => ((await list(id))?.entry ?? []).map(({ title }) => title);

const song = async (name: string, title: string, seconds: number): Promise<void> => {
  const source = `sine=frequency=${300 + seconds * 50}:duration=${seconds}`;
  const tags = ['-metadata', `title=${title}`, '-metadata', 'artist=Ada'];
  await promisify(execFile)('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', source, ...tags, join(journey.music, name)]);
};

beforeAll(async () => {
  journey = await Journey.prepare();
  await mkdir(join(journey.music, 'Ada'), { recursive: true });
  await song('Ada/one.mp3', 'One', 1);
  await song('Ada/two.mp3', 'Two', 2);
  await writeFile(join(journey.music, 'evening.m3u'), 'Ada/two.mp3\r\nAda/one.mp3\r\nAda/gone.mp3\r\n');
  await journey.start({ SCAN_PLAYLISTS: 'on', SCAN_PLAYLISTS_OWNER: administrator.name, SCAN_PLAYLISTS_PUBLIC: 'off' });
});
afterAll(() => journey.end());

describe('playlist files and the players that show their lists', () => {
  it('a scan makes a list that a player shows, plays and edits', async () => {
    expect(await journey.scan()).toMatchObject({ state: 'finished', songs_added: 2 });
    const [made] = await lists();
    expect(made).toMatchObject({ id: 'pl-1', name: 'evening', owner: administrator.name, public: false, songCount: 2 });
    expect(await titles('pl-1')).toEqual(['Two', 'One']);
    const first = (await list('pl-1'))?.entry?.[0]?.id ?? '';
    const added = await compat('updatePlaylist', [
      ['playlistId', 'pl-1'],
      ['songIndexToRemove', '1'],
      ['songIdToAdd', first],
    ]);
    expect(added.error).toBeUndefined();
    expect(await titles('pl-1')).toEqual(['Two', 'Two']);
  });

  it('what the player has changed stays, whatever the file says, also over a restart', async () => {
    await writeFile(join(journey.music, 'evening.m3u'), 'Ada/one.mp3\n');
    expect((await journey.scan()).message).toContain('evening.m3u: its playlist was changed by hand');
    await journey.stop();
    await journey.start({ SCAN_PLAYLISTS: 'on', SCAN_PLAYLISTS_OWNER: administrator.name });
    await journey.scan();
    expect(await titles('pl-1')).toEqual(['Two', 'Two']);
  });

  it('a player makes a list of its own, replaces what is in it, and deletes it', async () => {
    const ids = ((await list('pl-1'))?.entry ?? []).map(({ id }) => ['songId', id] as const);
    const made = (await compat('createPlaylist', [['name', 'Mine & <yours>'], ...ids, ...ids])).playlist;
    expect(made).toMatchObject({ name: 'Mine & <yours>', songCount: 4 });
    const id = made?.id ?? '';
    expect((await compat('createPlaylist', [['playlistId', id], ...ids.slice(0, 1)])).playlist?.songCount).toBe(1);
    expect((await compat('deletePlaylist', [['id', id]])).error).toBeUndefined();
    expect((await compat('getPlaylist', [['id', id]])).error?.code).toBe(70);
    expect((await lists()).map((one) => one.id)).toEqual(['pl-1']);
  });
});
