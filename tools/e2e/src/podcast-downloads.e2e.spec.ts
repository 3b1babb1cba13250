import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addCatalog, startScan, type CatalogId } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from './journey.js';

/** Stands for the internet: the one address that the operator allows. */
const OUTSIDE = '127.0.0.2';
const API = '/server/json.server.php';
const PATIENCE = { timeout: 60_000, interval: 100 } as const;

interface Episode {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly size: number;
  readonly time: number;
  readonly bitrate: number;
  readonly mime: string | null;
  readonly url: string;
}

let journey: Journey;
let server: Server;
/** Of the sound that episodes have, by name. */
const sounds = new Map<string, Buffer>();
let names: string[];
let talks: string;
let catalogId: CatalogId;
let podcastId: string;
const asked: string[] = [];

const url = (path: string): string => `http://${OUTSIDE}:${(server.address() as AddressInfo).port}${path}`;
const item = (name: string, index: number): string =>
  `<item><title>${name}</title><guid>${name}</guid><pubDate>${new Date(Date.UTC(2026, 0, 1 + index)).toUTCString()}</pubDate>` +
  `<enclosure url="/${name}.mp3" type="audio/mpeg" length="1"/></item>`;
const feed = (): string => `<rss><channel><title>Garden ../ Talk</title>${names.map(item).toReversed().join('')}</channel></rss>`;

const answer = ({ url: path = '/', headers }: IncomingMessage, response: ServerResponse): void => {
  asked.push(path);
  if (path === '/feed') return void response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed());
  const sound = sounds.get(path.slice(1).replace('.mp3', ''));
  if (!sound) return void response.writeHead(404).end();
  const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-type': 'audio/mpeg',
    etag: `"${sound.length}"`,
    'content-length': sound.length - from,
    ...(from > 0 ? { 'content-range': `bytes ${from}-${sound.length - 1}/${sound.length}` } : {}),
  });
  response.end(sound.subarray(from));
};

const call = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>(API, { action, version: '6.9.1', auth: administrator.apiKey, ...query });
const rest = (operation: string, query: Record<string, string>): Promise<Response> =>
  journey.request(`/rest/${operation}`, { apiKey: administrator.apiKey, v: '1.16.1', c: 'e2e', f: 'json', ...query });
const episodes = async (): Promise<Episode[]> =>
  (await call<{ podcast_episode: Episode[] }>('podcast_episodes', { filter: podcastId })).podcast_episode;
const episode = async (title: string): Promise<Episode> => {
  const found = (await episodes()).find((one) => one.title === title);
  if (!found) throw new Error(`there is no episode ${title}`);
  return found;
};
const states = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await episodes()).map(({ title, state }) => [title, state]));
const byName = (a: string, b: string): number => (a < b ? -1 : 1);
const files = async (): Promise<string[]> =>
  (await readdir(join(talks, `podcast-${podcastId}`)).catch(() => [] as string[])).toSorted(byName);
const bytesOf = async (response: Response | Promise<Response>): Promise<Buffer> => Buffer.from(await (await response).arrayBuffer());
const sync = () => call('update_podcast', { filter: podcastId });

beforeAll(async () => {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, OUTSIDE, resolve));
  journey = await Journey.prepare();
  for (const [index, name] of ['one', 'two', 'three', 'four'].entries()) {
    const path = join(journey.folder, `${name}.mp3`);
    const tone = `sine=frequency=${300 + index * 50}:duration=${3 + index}`;
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', tone, '-c:a', 'libmp3lame', '-b:a', '96k', path]);
    sounds.set(name, await readFile(path));
  }
  await journey.start({ OUTBOUND_ALLOWED_NETWORKS: OUTSIDE });
  talks = join(journey.folder, 'talks');
  await mkdir(talks);
  const context = { actor: 'system', correlationId: randomUUID(), causationId: randomUUID() };
  const added = await journey.server.commands.send(addCatalog, { name: 'talks', path: talks, gatherTypes: 'podcast' }, context);
  ({ catalogId } = added.result);
  await vi.waitUntil(async () => (await call<{ catalog: unknown[] }>('catalogs')).catalog.length === 1, PATIENCE);
  await call('preference_edit', { filter: 'podcast_keep', value: '2', default: '1', all: '1' });
  names = ['one', 'two'];
  podcastId = (await call<{ id: string }>('podcast_create', { url: url('/feed'), catalog: String(catalogId) })).id;
}, 180_000);
afterAll(async () => {
  await journey.end();
  server.closeAllConnections();
  server.close();
});

describe('episodes', () => {
  it('are here by themselves, the newest', async () => {
    await expect.poll(states, PATIENCE).toEqual({ one: 'skipped', two: 'completed' });
    const two = await episode('two');
    expect(two).toMatchObject({ size: sounds.get('two')?.length, mime: 'audio/mpeg', time: 4, bitrate: 96_000 });
    expect(await files()).toEqual([expect.stringMatching(/^2026-01-02-\d+-1-[0-9a-f]{8}\.mp3$/)]);
  });

  it('are played as they are, in part, and in another form', async () => {
    const sound = sounds.get('two') as Buffer;
    const { id, url: address } = await episode('two');
    expect(sound.equals(await bytesOf(fetch(address)))).toBe(true);
    expect(
      sound.equals(
        await bytesOf(journey.request(API, { action: 'stream', type: 'podcast_episode', filter: id, auth: administrator.apiKey })),
      ),
    ).toBe(true);
    expect(sound.equals(await bytesOf(rest('stream', { id: `pe-${id}` })))).toBe(true);
    const kept = await rest('download', { id: `pe-${id}` });
    expect(kept.headers.get('content-disposition')).toMatch(/^attachment; filename="Garden .* Talk - two\.mp3"/);
    expect(sound.equals(await bytesOf(kept))).toBe(true);
    const part = await fetch(address, { headers: { range: 'bytes=1000-1999' } });
    expect([part.status, sound.subarray(1000, 2000).equals(await bytesOf(part))]).toEqual([206, true]);
    const other = await rest('stream', { id: `pe-${id}`, format: 'opus', maxBitRate: '48' });
    expect([other.status, other.headers.get('content-type')]).toEqual([200, expect.stringContaining('ogg')]);
    expect((await bytesOf(other)).subarray(0, 4).toString('latin1')).toBe('OggS');
  });

  it('that are not here are heard where their publisher has them', async () => {
    const { id, url: address } = await episode('one');
    for (const get of [() => rest('stream', { id: `pe-${id}` }), () => fetch(address), () => rest('download', { id: `pe-${id}` })]) {
      const response = await get();
      expect([response.redirected, new URL(response.url).host]).toEqual([true, new URL(url('/')).host]);
      expect((sounds.get('one') as Buffer).equals(await bytesOf(response))).toBe(true);
    }
  });

  it('come when somebody asks, and stay while newer ones take the place of others', async () => {
    const { id } = await episode('one');
    expect(await (await rest('downloadPodcastEpisode', { id: `pe-${id}` })).json()).toMatchObject({
      'subsonic-response': { status: 'ok' },
    });
    await expect.poll(states, PATIENCE).toEqual({ one: 'completed', two: 'completed' });
    for (const next of ['three', 'four']) {
      names.push(next);
      await sync();
      await expect.poll(async () => (await states())[next], PATIENCE).toBe('completed');
    }
    // Two of those that came by themselves stay, and the one that was asked for.
    await expect.poll(async () => (await episode('two')).state, PATIENCE).not.toBe('completed');
    expect(
      Object.entries(await states())
        .filter(([, state]) => state === 'completed')
        .map(([title]) => title)
        .toSorted(byName),
    ).toEqual(['four', 'one', 'three']);
    await expect.poll(async () => (await files()).length, PATIENCE).toBe(3);
    await sync();
    expect((await episode('two')).state).not.toBe('completed');
  });

  it('are no songs to a scan of their catalog', async () => {
    const started = await journey.server.commands.send(
      startScan,
      { catalogId },
      { actor: 'system', correlationId: randomUUID(), causationId: randomUUID() },
    );
    const scan = async () =>
      journey.server.db.selectFrom('ingestion.scan').select('state').where('id', '=', started.result.scanId).executeTakeFirst();
    await expect.poll(async () => (await scan())?.state, PATIENCE).toBe('finished');
    expect((await call<{ total_count: number }>('songs')).total_count).toBe(0);
    expect(await files()).toHaveLength(3);
  });

  it('whose file somebody took away are heard where their publisher has them', async () => {
    const { url: address } = await episode('four');
    const [path] = (await files()).filter((name) => name.startsWith('2026-01-04'));
    await rm(join(talks, `podcast-${podcastId}`, path ?? ''));
    const response = await fetch(address);
    expect([response.redirected, (sounds.get('four') as Buffer).equals(await bytesOf(response))]).toEqual([true, true]);
  });

  it('survive a restart, and go with their file', async () => {
    await journey.stop();
    await journey.start({ OUTBOUND_ALLOWED_NETWORKS: OUTSIDE });
    expect((await states())['three']).toBe('completed');
    await writeFile(join(talks, `podcast-${podcastId}`, 'mine.txt'), 'not yours');
    await call('podcast_episode_delete', { filter: (await episode('three')).id });
    await expect.poll(async () => (await files()).some((name) => name.startsWith('2026-01-03')), PATIENCE).toBe(false);
    expect(await states()).not.toHaveProperty('three');
    await call('podcast_delete', { filter: podcastId });
    await expect.poll(files, PATIENCE).toEqual(['mine.txt']);
    expect(await readdir(talks)).toEqual([`podcast-${podcastId}`]);
  });
});
