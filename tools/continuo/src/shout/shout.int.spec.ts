import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type Environment, type StartedService } from '@continuo/chassis';
import { addCatalog, recordFolder, scannedTrack } from '@continuo/contracts';
import { libraryService } from '@continuo/library';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { socialService } from '@continuo/social';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../../test/index.js';

let nats: TestNats;
let postgres: TestPostgres;
let home: string;
let env: Environment;
let library: StartedService;
let social: StartedService;
let gateway: SpecGateway;

const plain = { sizeBytes: 1, mtimeMs: 1, durationMs: 1000, format: 'mp3', mime: 'audio/mpeg', bitrateBps: 1, sampleRateHz: 1 };
const by = [{ name: 'A' }];
const track = scannedTrack.parse({
  ...plain,
  fileName: '1.mp3',
  digest: '1',
  title: 'One',
  artists: by,
  albumArtists: by,
  album: { name: 'B' },
  genres: [],
  moods: [],
});

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  home = await realpath(await mkdtemp(join(tmpdir(), 'continuo-cli-shout-')));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = { ...env, CONTINUO_SECRET: 'x'.repeat(32), CONTINUO_DATA: join(home, '.data'), LOG_LEVEL: 'silent' };
  library = await startService(libraryService, settings);
  social = await startService(socialService, settings);
  gateway = await startGateway(settings);
  env = gateway.env;
  const { commands } = library.deps;
  const context = { actor: 'system', correlationId: randomUUID(), causationId: 'spec' };
  const { result } = await commands.send(addCatalog, { name: 'music', path: home }, context);
  await commands.send(recordFolder, { catalogId: result.catalogId, path: '', tracks: [track] }, context);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([library.stop(), social.stop()]);
  await Promise.all([nats.stop(), postgres.stop(), rm(home, { recursive: true, force: true })]);
});

const shout = async (...args: string[]): Promise<string> => {
  const { out, err } = await runCli(env, 'shout', ...args);
  return out || err;
};

it('makes shouts, lists them and takes them away', async () => {
  await expect.poll(() => shout('add', 'admin', 'song', '1', 'What a song!')).toContain('about song 1 can be read');
  const listed = await shout('list');
  expect(listed).toMatch(/admin +song 1 +What a song!/);
  const id = /^ *(\d+) .*What a song!/m.exec(listed)?.[1] ?? '';
  expect(await shout('remove', id)).toBe(`Shout ${id} is gone.`);
  expect(await shout('list')).not.toContain('What a song!');
});

it.each([
  [['add', 'nobody', 'song', '1', 'x'], 'there is no account "nobody"'],
  [['add', 'admin', 'spoon', '1', 'x'], 'nobody can shout about a "spoon"'],
  [['add', 'admin', 'song', '99', 'x'], 'there is no song 99'],
  [['add', 'admin', 'song', 'one', 'x'], '"one" is no number'],
  [['remove', '99'], 'there is no shout 99'],
])('refuses %j', async (args, reason) => {
  expect(await shout(...args)).toContain(reason);
});
