import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, type StartedService } from '@continuo/chassis';
import { MeilisearchDouble } from '@continuo/local-servers/meilisearch';
import {
  addCatalog,
  changePlaylist,
  createPlaylist,
  deletePlaylist,
  recordFolder,
  recordVideos,
  removeCatalog,
  userId,
  type CommandDefinition,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  MeilisearchSearchIndex,
  PostgresSearchIndex,
  type SearchIndex,
  type SearchKind,
  searchRebuildSubject,
  type SearchRequest,
} from '@continuo/search-index';
import type { LibraryConfig } from '../config.js';
import { libraryService } from '../library.service.js';
import { track } from '../../test/tracks.js';
import { video } from '../../test/videos.js';

const WAIT = { timeout: 20_000, interval: 25 };

describe('the search indexes of the library', () => {
  let nats: TestNats;
  let postgres: TestPostgres;
  let double: MeilisearchDouble;
  let env: Record<string, string>;
  let root: string;
  let library: StartedService<LibraryConfig>;
  let indexes: readonly SearchIndex[];
  let meilisearch: SearchIndex;
  let catalogId: z.output<typeof addCatalog.result>['catalogId'];
  const running: StartedService<LibraryConfig>[] = [];
  const start = async (): Promise<StartedService<LibraryConfig>> => {
    const service = await startService(libraryService, env);
    running.push(service);
    return service;
  };
  const send = async <S extends z.ZodType, R extends z.ZodType>(command: CommandDefinition<S, R>, data: z.input<S>) => {
    const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
    return (await library.deps.commands.send(command, data, context, { timeoutMs: 20_000 })).result;
  };
  const record = (path: string, parts: Partial<z.input<typeof recordFolder.schema>>) =>
    send(recordFolder, { catalogId, path, tracks: [], ...parts });
  const ids = async (index: SearchIndex, kind: SearchKind, text: string, more: Partial<SearchRequest> = {}) =>
    (await index.search({ text, pages: { [kind]: { offset: 0, limit: 10 } }, catalogs: 'all', viewerId: null, ...more }))[kind]?.ids ?? [];
  /** Result that both indexes find in the end. */
  const found = async (kind: SearchKind, text: string, count: number, more?: Partial<SearchRequest>): Promise<readonly number[]> => {
    for (const index of indexes)
      await expect
        .poll(() => ids(index, kind, text, more).catch(() => 'not available'), { ...WAIT, message: `${index.name}: ${text}` })
        .toHaveLength(count);
    return ids(meilisearch, kind, text, more);
  };
  const metric = async (name: string): Promise<number> => {
    const values = (await library.deps.metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
    return values.find(({ labels }) => labels['index'] === 'meilisearch')?.value ?? -1;
  };

  beforeAll(async () => {
    [nats, postgres, double] = await Promise.all([testNats(), testPostgres(), MeilisearchDouble.start()]);
    root = await realpath(await mkdtemp(join(tmpdir(), 'continuo-search-')));
    env = {
      DATABASE_URL: (await postgres.createDatabase()).url,
      NATS_URL: nats.url,
      CONTINUO_SECRET: 'a secret of at least thirty-two characters',
      CONTINUO_DATA: join(root, '.data'),
      LOG_LEVEL: 'silent',
      HEALTH_PORT: '0',
      MEILI_URL: double.url,
      MEILI_KEY: double.key,
      SEARCH_INDEX_UPKEEP_MS: '150',
    };
    library = await start();
    meilisearch = new MeilisearchSearchIndex({ url: double.url, key: double.key, prefix: 'continuo' });
    indexes = [new PostgresSearchIndex(library.deps.db), meilisearch];
    catalogId = (await send(addCatalog, { name: 'music', path: root })).catalogId;
  });
  afterAll(async () => {
    await Promise.all(running.map((service) => service.stop()));
    await Promise.all([nats.stop(), postgres.stop(), double.stop()]);
    await rm(root, { recursive: true, force: true });
    // An index that has no settings yet refuses the filter of a search; Postgres answers then. Nothing else may be refused.
    const [refused] = double.refusals.filter((refusal) => !refusal.includes('is not filterable'));
    if (refused !== undefined) throw new Error(`the server was asked for what it refuses: ${refused}`);
  });

  it('have what a scan found, and follow what changes', async () => {
    const artists = [{ name: 'The Larks' }, { name: 'Wren' }];
    await record('Dawn', {
      tracks: [
        track('1.mp3', {
          title: 'Grey Morning',
          artists,
          albumArtists: [{ name: 'The Larks' }],
          album: { name: 'Dawn Chorus', year: 1999 },
        }),
      ],
    });
    const [song] = await found('song', 'grey mornin', 1);
    expect(await found('song', 'wren chorus', 1)).toEqual([song]);
    await found('artist', 'larks', 1, { catalogs: [catalogId] });
    expect(await ids(meilisearch, 'artist', 'larks', { catalogs: [catalogId + 1] })).toEqual([]);
    await found('album', 'dawn', 1);
    await record('Dawn', {
      tracks: [
        track('1.mp3', {
          title: 'Blue Evening',
          artists: [{ name: 'Wren' }],
          albumArtists: [{ name: 'Wren' }],
          album: { name: 'Dusk', year: 1999 },
        }),
      ],
    });
    expect(await found('song', 'evening', 1)).toEqual([song]);
    await found('album', 'dusk', 1);
    for (const [kind, gone] of [
      ['song', 'grey'],
      ['album', 'chorus'],
      ['artist', 'larks'],
    ] as const)
      await found(kind, gone, 0);
    await record('Dawn', { vanished: true });
    for (const [kind, gone] of [
      ['song', 'evening'],
      ['album', 'dusk'],
      ['artist', 'wren'],
    ] as const)
      await found(kind, gone, 0);
  });

  it('have playlists for those who may find them, and videos', async () => {
    const terms = { name: 'Quiet hours', isPublic: false, ownerId: userId.parse(7), collaboratorIds: [userId.parse(8)] };
    const { playlistId } = await send(createPlaylist, terms);
    await found('playlist', 'quiet', 1, { viewerId: 8 });
    await found('playlist', 'quiet', 0, { viewerId: 9 });
    await send(changePlaylist, { playlistId, isPublic: true });
    await found('playlist', 'quiet', 1, { viewerId: 9 });
    await send(deletePlaylist, { playlistId });
    await found('playlist', 'quiet', 0);
    const films = await realpath(await mkdtemp(join(tmpdir(), 'continuo-films-')));
    const filmsId = (await send(addCatalog, { name: 'films', path: films, gatherTypes: 'video' })).catalogId;
    await send(recordVideos, { catalogId: filmsId, path: 'Old', videos: [video('one.mp4', { title: 'The Lighthouse' })] });
    await found('video', 'lighthouse', 1, { catalogs: [filmsId] });
    const swaps = double.tasks.count('indexSwap');
    await send(removeCatalog, { catalogId: filmsId });
    await found('video', 'lighthouse', 0);
    expect(double.tasks.count('indexSwap')).toBeGreaterThan(swaps);
    await rm(films, { recursive: true, force: true });
  });

  it('rank by what is played, told of plays now and then', async () => {
    await record('Twins', { tracks: ['1', '2', '3'].map((name) => track(`${name}.mp3`, { title: 'Twin Tune' })) });
    const [first, second] = await found('song', 'twin tune', 3);
    const { db } = library.deps;
    await sql`create schema playback`.execute(db);
    await sql`create table playback.play (id bigint primary key, song_id integer)`.execute(db);
    await sql`create table playback.song_plays (song_id integer primary key, play_count integer)`.execute(db);
    const before = double.tasks.count('documentAdditionOrUpdate');
    await sql`insert into playback.song_plays values (${second}, 500)`.execute(db);
    await sql`insert into playback.play select n, ${second} from generate_series(1, 500) n`.execute(db);
    for (const index of indexes) await expect.poll(async () => (await ids(index, 'song', 'twin tune'))[0], WAIT).toBe(second);
    expect(first).not.toBe(second);
    expect(double.tasks.count('documentAdditionOrUpdate') - before).toBeLessThan(12);
    const mark = sql<{ play_position: number }>`select play_position from library.search_popularity where index_name = 'meilisearch'`;
    await expect.poll(async () => (await mark.execute(db)).rows, WAIT).toEqual([{ play_position: 500 }]);
  });

  it('catch up when Meilisearch comes back, and Postgres answers meanwhile', async () => {
    await double.down();
    await record('Later', { tracks: [track('9.mp3', { title: 'Unheard Of' })] });
    await expect.poll(() => ids(indexes[0] as SearchIndex, 'song', 'unheard'), WAIT).toHaveLength(1);
    await expect.poll(() => metric('continuo_search_index_up'), WAIT).toBe(0);
    await expect.poll(() => metric('continuo_search_index_lag_events'), WAIT).toBeGreaterThan(0);
    expect(library.readiness()).toMatchObject({
      ready: true,
      parts: { 'search index postgres': 'following', 'search index meilisearch': 'Meilisearch does not answer' },
    });
    const swaps = double.tasks.count('indexSwap');
    await double.up();
    await found('song', 'unheard', 1);
    await expect.poll(() => metric('continuo_search_index_up'), WAIT).toBe(1);
    await expect.poll(() => metric('continuo_search_index_lag_events'), WAIT).toBe(0);
    expect(double.tasks.count('indexSwap')).toBe(swaps);
  });

  it('are built anew when Meilisearch comes back empty', async () => {
    double.loseEverything();
    await found('song', 'unheard', 1);
    await found('song', 'twin tune', 3);
    expect(await metric('continuo_search_index_rebuilds_total')).toBeGreaterThan(0);
  });

  it('go on after a task that failed', async () => {
    double.tasks.pace.failures.push('internal');
    await record('Again', { tracks: [track('10.mp3', { title: 'Once More' })] });
    await found('song', 'once more', 1);
  });

  it('are built anew when somebody asks for it', async () => {
    const swaps = double.tasks.count('indexSwap');
    const answer = await library.deps.nats.request(searchRebuildSubject('meilisearch'), '', { timeout: 20_000 });
    expect(answer.json()).toEqual({ keeper: expect.any(String), rebuilds: expect.any(Number) });
    await expect.poll(() => double.tasks.count('indexSwap'), WAIT).toBe(swaps + 1);
    await found('song', 'once more', 1);
  });

  it('hold after many changes what an index that is built anew holds', async () => {
    const held = (): unknown =>
      Object.fromEntries(
        ['song', 'album', 'artist', 'playlist'].map((kind) => {
          const documents = [...(double.indexes.get(`continuo_${kind}`)?.documents ?? [])];
          return [kind, documents.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, document]) => document)];
        }),
      );
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const name = (): { name: string } => ({ name: `Player ${random(6)}` });
    for (let step = 0; step < 40; step += 1) {
      const path = `Random/${random(4)}`;
      const files = ['a.mp3', 'b.mp3', 'c.mp3'].filter(() => random(3) > 0);
      const tracks = files.map((file) =>
        track(file, {
          title: `Random ${random(100)}`,
          artists: [name(), name()],
          albumArtists: [name()],
          album: { name: `Set ${random(5)}`, year: 2000 + step },
        }),
      );
      const goneFiles = ['a.mp3', 'b.mp3', 'c.mp3'].filter((file) => !files.includes(file));
      await record(path, random(8) === 0 ? { vanished: true } : { tracks, goneFiles });
      if (random(4) === 0) await send(createPlaylist, { name: `List ${step}`, isPublic: random(2) === 0, ownerId: userId.parse(1) });
    }
    await record('Random/last', { tracks: [track('z.mp3', { title: 'Settled Now' })] });
    await found('song', 'settled now', 1);
    // What has become empty is told by the next upkeep.
    await delay(5 * Number(env['SEARCH_INDEX_UPKEEP_MS']));
    const followed = held();
    const swaps = double.tasks.count('indexSwap');
    await library.deps.nats.request(searchRebuildSubject('meilisearch'), '', { timeout: 20_000 });
    await expect.poll(() => double.tasks.count('indexSwap'), WAIT).toBe(swaps + 1);
    expect(followed).toEqual(held());
  });

  it('are taken over by another replica where the first left off', async () => {
    const swaps = double.tasks.count('indexSwap');
    const other = await start();
    await library.stop();
    library = other;
    indexes = [new PostgresSearchIndex(other.deps.db), meilisearch];
    await record('Over', { tracks: [track('11.mp3', { title: 'Handed Over' })] });
    await found('song', 'handed over', 1);
    expect(double.tasks.count('indexSwap')).toBe(swaps);
  });
});
