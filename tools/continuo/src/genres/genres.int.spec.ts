import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Environment, type StartedService } from '@continuo/chassis';
import { addCatalog, recordFolder, scannedTrack, type ScannedTrack } from '@continuo/contracts';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let library: StartedService;
let gateway: SpecGateway;

const plain = { sizeBytes: 1, mtimeMs: 1, durationMs: 1000, format: 'mp3', mime: 'audio/mpeg', bitrateBps: 1, sampleRateHz: 1 };
const by = [{ name: 'A' }];
const track = (title: string, genres: string[]): ScannedTrack =>
  scannedTrack.parse({
    ...plain,
    fileName: `${title}.mp3`,
    digest: title,
    title,
    artists: by,
    albumArtists: by,
    album: { name: 'B' },
    genres,
    moods: [],
  });

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-cli-genres-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = { ...env, CONTINUO_SECRET: 'x'.repeat(32), CONTINUO_DATA: join(home, '.data'), LOG_LEVEL: 'silent' };
  library = await startService(libraryService, settings);
  gateway = await startGateway(settings);
  env = gateway.env;
  const { commands } = library.deps;
  const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
  const { result } = await commands.send(addCatalog, { name: 'music', path: home }, context);
  const tracks = [track('one', ['Hip-Hop', '80s']), track('two', ['Rap'])];
  await commands.send(recordFolder, { catalogId: result.catalogId, path: '', tracks }, context);
});
afterAll(async () => {
  await gateway.stop();
  await library.stop();
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

const genres = async (...args: string[]): Promise<string> => {
  const { out, err } = await runCli(env, 'genres', ...args);
  return out || err;
};

describe('continuo genres', () => {
  it('lists, hides and shows them, by name or number', async () => {
    await expect.poll(() => genres('list')).toMatch(/1 +Hip-Hop +1 +1 +1/);
    expect(await genres('hide', 'hip-hop')).toContain('Hip-Hop is hidden');
    expect(await genres('list')).toMatch(/Hip-Hop +1 +1 +1 +hidden/);
    expect(await genres('show', '1')).toBe('Hip-Hop is not hidden.');
    expect(await genres('hide', '80s')).toContain('80s is hidden');
    expect(await genres('list')).not.toMatch(/Hip-Hop.*hidden/);
  });

  it('merges them and takes that back', async () => {
    expect(await genres('merge', 'Rap', 'Hip-Hop', '80s')).toBe('Songs whose tags name Rap carry Hip-Hop, 80s instead, now and later.');
    expect(await genres('list')).toMatch(/Rap +0 +0 +0 +merged into 80s, Hip-Hop/);
    expect(await genres('list')).toMatch(/Hip-Hop +2/);
    expect(await genres('merge', 'Hip-Hop', 'rap')).toContain('[input.invalid]');
    expect(await genres('unmerge', 'rap')).toBe('Songs carry Rap where their tags name it.');
    expect(await genres('list')).toMatch(/Rap +1 +1 +1/);
    expect(await genres('hide', 'Zouk')).toContain('there is no genre "Zouk"');
  });
});
