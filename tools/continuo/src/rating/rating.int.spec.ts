import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Environment, type StartedService } from '@continuo/chassis';
import { addCatalog, rateObject, recordFolder, scannedTrack, userId, type ReadModel } from '@continuo/contracts';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { socialService } from '@continuo/social';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let library: StartedService;
let social: StartedService;
let ingestion: StartedService;
let gateway: SpecGateway;

const plain = { sizeBytes: 1, mtimeMs: 1, durationMs: 1000, format: 'mp3', mime: 'audio/mpeg', bitrateBps: 1, sampleRateHz: 1 };
const by = [{ name: 'A' }];
const track = (title: string, rating?: number) =>
  scannedTrack.parse({
    ...plain,
    fileName: `${title}.mp3`,
    digest: title,
    title,
    artists: by,
    albumArtists: by,
    album: { name: 'B' },
    genres: [],
    moods: [],
    ...(rating === undefined ? {} : { rating }),
  });

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-cli-rating-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = { ...env, CONTINUO_SECRET: 'x'.repeat(32), CONTINUO_DATA: join(home, '.data'), LOG_LEVEL: 'silent' };
  library = await startService(libraryService, settings);
  social = await startService(socialService, settings);
  ingestion = await startService(ingestionService, settings);
  gateway = await startGateway(settings);
  env = gateway.env;
  const { commands } = library.deps;
  const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
  const { result } = await commands.send(addCatalog, { name: 'music', path: home }, context);
  await commands.send(
    recordFolder,
    { catalogId: result.catalogId, path: '', tracks: [track('One', 80), track('Two', 5), track('Three')] },
    context,
  );
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([library.stop(), social.stop(), ingestion.stop()]);
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

const rating = async (...args: string[]): Promise<string> => {
  const { out, err } = await runCli(env, 'rating', ...args);
  return out || err;
};

it('counts and imports what tags say, once, and leaves what the account has rated', async () => {
  await expect.poll(() => rating('import', 'admin', '--dry-run')).toBe('2 songs would be rated as the tags say.');
  const own = { userId: userId.parse(1), kind: 'song', objectId: 1, rating: 1 } as const;
  await library.deps.commands.send(rateObject, own, { actor: 'user:1', correlationId: 'c', causationId: 'c' });
  await expect.poll(() => rating('import', 'admin', '--dry-run', '--catalog', 'music')).toBe('1 song would be rated as the tags say.');
  expect(await rating('import', 'admin')).toBe('1 song rated as the tags say.');
  const db: Kysely<ReadModel> = library.deps.db;
  const rated = await db.selectFrom('social.rating').select(['object_id', 'rating']).where('user_id', '=', 1).execute();
  expect(rated.toSorted((one, other) => one.object_id - other.object_id)).toEqual([
    { object_id: 1, rating: 1 },
    { object_id: 2, rating: 1 },
  ]);
  expect(await rating('import', 'admin')).toBe('0 songs rated as the tags say.');
});

it('names accounts and catalogs that there are not', async () => {
  expect(await rating('import', 'nobody')).toContain('there is no account "nobody"');
  expect(await rating('import', 'admin', '--catalog', 'absent')).toContain('there is no catalog "absent"');
});
