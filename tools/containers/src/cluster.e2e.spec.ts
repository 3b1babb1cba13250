import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { formatNames, generateFiles, type Manifest } from '@continuo/bench';
import { getContainerRuntimeClient } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from './client.js';
import { Cluster, serviceNames, type Part } from './cluster.js';
import { config } from './config.js';
import { Ledger } from './ledger.js';

const FILES = 60;
const PATIENCE = { timeout: 60_000, interval: 250 };

/** Why these suites cannot run here; undefined when they can. */
const problem = async (): Promise<string | undefined> => {
  if (!config.wanted) return 'CONTINUO_TEST_CONTAINERS is not set';
  try {
    const { image } = await getContainerRuntimeClient();
    void image;
    return undefined;
  } catch (error) {
    return `no container engine answers (${error instanceof Error ? error.message : String(error)})`;
  }
};
const missing = await problem();
if (missing !== undefined) console.warn(`The services are not tested in containers: ${missing}.`);

interface Song {
  readonly id: string;
  readonly title: string;
  readonly playCount?: number;
}

/** The services start side by side: the gateway may answer before the first administrator is made. */
const untilLoggedIn = async (client: Client): Promise<void> => {
  for (const until = Date.now() + PATIENCE.timeout; ; await delay(PATIENCE.interval)) {
    try {
      return await client.login();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
};

describe.skipIf(missing !== undefined)('the services in containers of their own', { timeout: 180_000 }, () => {
  let cluster: Cluster;
  let client: Client;
  let manifest: Manifest;

  const allSongs = async (): Promise<Song[]> =>
    (
      await client.compat<{ searchResult3: { song?: Song[] } }>('search3', {
        query: '',
        songCount: '500',
        artistCount: '0',
        albumCount: '0',
      })
    ).searchResult3.song ?? [];

  beforeAll(async () => {
    cluster = await Cluster.prepare();
    manifest = await generateFiles({ out: cluster.music, count: FILES, formats: formatNames, seed: 5, flat: false });
    await cluster.start();
    client = new Client(cluster);
    await untilLoggedIn(client);
    await client.native('catalog_add', { name: 'music', path: '/media' });
    const { catalog } = await client.native<{ catalog: { id: string }[] }>('catalogs');
    await client.native('catalog_action', { task: 'add_to_catalog', catalog: catalog[0]?.id ?? '' });
    while ((await allSongs()).length < FILES) await delay(PATIENCE.interval);
  }, 600_000);
  afterAll(() => cluster?.end());

  it('run under an account of no rights, over a root that cannot be written', async () => {
    for (const name of serviceNames) expect([name, (await cluster.exec(name, ['id', '-u'])).trim()]).toEqual([name, '10001']);
    expect(await cluster.exec('library', ['sh', '-c', 'touch /app/x 2>/dev/null && echo written || echo refused'])).toContain('refused');
  });

  it('serve the same library over all three surfaces', async () => {
    const native = await client.native<{ total_count: number; song: { title: string }[] }>('songs', { limit: '0' });
    expect(native.total_count).toBe(manifest.songs);
    const rest = (await (
      await client.request('/rest/8/json/songs', { limit: '0' }, { headers: { authorization: 'Bearer operator-key-0123456789' } })
    ).json()) as typeof native;
    expect(rest.total_count).toBe(manifest.songs);
    expect((await allSongs()).map(({ title }) => title).toSorted()).toEqual(native.song.map(({ title }) => title).toSorted());
  });

  it('send originals and transcodes, byte ranges included', async () => {
    const [song] = await allSongs();
    if (!song) throw new Error('there are no songs');
    const original = await client.stream(song.id, { format: 'raw' });
    expect([original.status, (await original.arrayBuffer()).byteLength > 1000]).toEqual([200, true]);
    const opus = await client.stream(song.id, { format: 'opus', maxBitRate: '64' });
    expect([opus.status, opus.headers.get('content-type')]).toEqual([200, 'audio/ogg']);
    const whole = Buffer.from(await opus.arrayBuffer());
    expect(whole.subarray(0, 4).toString()).toBe('OggS');
    await expect
      .poll(async () => {
        const part = await client.request(
          '/rest/stream',
          { apiKey: 'operator-key-0123456789', v: '1.16.1', c: 'containers', id: song.id, format: 'opus', maxBitRate: '64' },
          { headers: { range: 'bytes=4-99' } },
        );
        return [part.status, Buffer.from(await part.arrayBuffer()).equals(whole.subarray(4, 100))];
      }, PATIENCE)
      .toEqual([206, true]);
  });

  it('transcode on as many workers as there are, and on those that are left', async () => {
    const songs = (await allSongs()).slice(0, 12);
    const made = async (format: string): Promise<Set<number>> =>
      new Set(await Promise.all(songs.map(({ id }, index) => client.take(id, { format, maxBitRate: String(64 + index) }))));
    await cluster.startService('transcoding', 2);
    await cluster.startService('transcoding', 3);
    expect(await made('mp3')).toEqual(new Set([200]));
    const begun = async (copy: number): Promise<number> => {
      const metrics = await cluster.exec('transcoding', ['curl', '--silent', 'http://127.0.0.1:9090/metrics'], copy);
      return [...metrics.matchAll(/^continuo_transcodes_started_total\{[^}]*\} (\d+)/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
    };
    const counts = await Promise.all([1, 2, 3].map(begun));
    expect(counts.every((count) => count > 0)).toBe(true);
    await cluster.stopService('transcoding', 3);
    await cluster.stopService('transcoding', 2);
    expect(await made('opus')).toEqual(new Set([200]));
  });

  it.each<Part>(['library', 'playback', 'social', 'ingestion', 'transcoding', 'gateway', 'nats', 'postgres'])(
    'lose nothing that was acknowledged when %s is killed',
    async (part) => {
      const [song] = await allSongs();
      if (!song) throw new Error('there are no songs');
      const id = song.id.replace('so-', '');
      const ledger = new Ledger(part, (name) => client.native('playlist_create', { name, type: 'private' }));
      const { acknowledged } = ledger;
      await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(5);
      await cluster.killAndRestart(part);
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length, PATIENCE).toBeGreaterThan(before + 5);
      await ledger.close();
      await expect
        .poll(async () => {
          const { playlist } = await client.native<{ playlist: { name: string }[] }>('playlists', {
            limit: '0',
            hide_search: '1',
            filter: `${part} `,
            exact: '0',
          });
          return ledger.audit(playlist.map(({ name }) => name.replace(/ \(.*\)$/, '')));
        }, PATIENCE)
        .toEqual({ missing: [], double: [] });
      expect((await client.native<{ id: string }>('song', { filter: id })).id).toBe(id);
    },
  );

  it('go on scanning what was being scanned when ingestion was killed', async () => {
    const added = await generateFiles({ out: join(cluster.music, 'more'), count: 400, formats: ['mp3', 'flac'], seed: 9, flat: false });
    const { catalog } = await client.native<{ catalog: { id: string }[] }>('catalogs');
    await client.native('catalog_action', { task: 'add_to_catalog', catalog: catalog[0]?.id ?? '' });
    await cluster.killAndRestart('ingestion');
    await expect.poll(async () => (await allSongs()).length, { timeout: 120_000, interval: 500 }).toBe(FILES + added.songs);
    await rm(join(cluster.music, 'more'), { recursive: true });
  });
});
