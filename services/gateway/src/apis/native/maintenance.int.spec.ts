import { Rejection, rereadSongs, startScan } from '@continuo/contracts';
import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { expectGolden } from '../../../test/goldens/golden.js';
import { maintenanceCommands } from '../../../test/fakes/maintenance-commands.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  testAccounts,
  type TestAccount,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';

const content: TestAccount = { id: 3, username: 'content', access: 50, token: 'content-token' };
const manager: TestAccount = { id: 4, username: 'manager', access: 75, token: 'manager-token' };

let model: TestReadModel;
let commands: InMemoryCommandClient;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
});
afterAll(() => model.close());

const start = async (settings: Record<string, unknown> = {}): Promise<void> => {
  commands = maintenanceCommands();
  const auth = fixedAuth([...Object.values(testAccounts), content, manager]);
  gateway = await startTestGateway(model.read, { auth, commands, settings: { PUBLIC_URL: 'http://server.example', ...settings } });
};
beforeEach(() => start());
afterEach(() => gateway.stop());

interface Answer {
  readonly success?: string;
  readonly error?: { readonly errorCode: string; readonly errorType: string; readonly errorMessage: string };
}
const call = async (query: string, token: string = manager.token, { version = '8.0.0', form = 'json' } = {}): Promise<string> => {
  const url = `/server/${form}.server.php?version=${version}&${query}`;
  const answer = await gateway.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  expect(answer.statusCode).toBe(200);
  return answer.body;
};
const ask = async (query: string, token?: string): Promise<Answer> => JSON.parse(await call(query, token)) as Answer;
const refusal = async (query: string, token?: string): Promise<string> => {
  const { error } = await ask(query, token);
  return error ? `${error.errorCode} ${error.errorType}` : 'success';
};
const sent = (): string[] => commands.sent.map(({ subject }) => subject.split('.').at(-1) ?? '');

describe('deletion from disk', () => {
  it('is off unless it is switched on, for every way that leads to it', async () => {
    for (const query of [
      'action=song_delete&filter=1',
      'action=catalog_file&filter=1&file=/music/1/a.flac&task=remove',
      'action=catalog_file&filter=1&file=/music/1/a.flac&task=clean,Remove',
      'action=catalog_folder&filter=1&folder=/music/1&task=remove',
    ]) {
      expect((await ask(query)).error).toMatchObject({ errorCode: '4703', errorMessage: 'Enable: delete_from_disk' });
    }
    expect(sent()).toEqual([]);
    const byPath = await gateway.app.inject({
      method: 'DELETE',
      url: '/rest/8/json/songs/1',
      headers: { authorization: `Bearer ${manager.token}` },
    });
    expect(byPath.json()).toMatchObject({ error: { errorCode: '4703' } });
  });

  it('looks at parameters first, then at the switch, then at the level', async () => {
    const { token } = testAccounts.listener;
    expect(await refusal('action=song_delete', token)).toBe('4710 system');
    expect(await refusal('action=song_delete&filter=999', token)).toBe('4704 filter');
    expect(await refusal('action=song_delete&filter=1', token)).toBe('4703 system');
    await gateway.stop();
    await start({ DELETE_FROM_DISK: true });
    expect(await refusal('action=song_delete&filter=1', token)).toBe('4742 account');
    expect(await refusal('action=song_delete&filter=1', content.token)).toBe('4742 account');
    expect(sent()).toEqual([]);
    expect(await ask('action=song_delete&filter=1')).toEqual({ success: 'song 1 deleted' });
    expect(sent()).toEqual(['delete-song-file']);
  });
});

describe('levels', () => {
  it.each([
    ['action=catalog_action&filter=1&task=verify_catalog', 75],
    ['action=catalog_delete&filter=1', 75],
    ['action=catalog_add&name=x&path=/x', 75],
    ['action=update_art&filter=1&type=album', 75],
    ['action=catalog_file&filter=1&file=/music/1/a.flac&task=add', 50],
    ['action=catalog_folder&filter=1&folder=/music/1&task=add', 50],
    ['action=system_update', 100],
  ])('%s needs %i', async (query, level) => {
    for (const account of [testAccounts.listener, content, manager].filter(({ access }) => access < level)) {
      expect((await ask(query, account.token)).error).toMatchObject({ errorCode: '4742', errorMessage: `Require: ${level}` });
    }
    expect(sent()).toEqual([]);
  });

  it('let everybody read tags, from the file and into the library', async () => {
    expect(await ask('action=update_from_tags&filter=1&type=song', testAccounts.listener.token)).toEqual({
      success: 'Updated tags for: 1 (song)',
    });
    expect(JSON.parse(await call('action=song_tags&filter=1', testAccounts.listener.token))).toMatchObject({ id: '1', bpm: 128 });
  });
});

describe('catalogs', () => {
  it.each([
    ['add_to_catalog', 'add'],
    ['clean_catalog', 'clean'],
    ['verify_catalog', 'verify'],
    ['gather_art', 'art'],
    ['update_catalog', 'update'],
  ])('%s starts a scan that does just that', async (task, mode) => {
    await ask(`action=catalog_action&filter=1&task=${task}`);
    expect(commands.sent.at(-1)?.message.data).toEqual({ catalogId: 1, mode });
  });

  it('say so when a scan that does something else is under way', async () => {
    commands.handle(startScan, async () => {
      throw new Rejection('scan.running', 'a scan of this catalog that does something else (add) is under way', '1');
    });
    expect(await refusal('action=catalog_action&filter=1&task=verify_catalog')).toBe('4710 catalog');
  });

  it('go after their scan has stopped', async () => {
    await sql`insert into ingestion.scan (id, catalog_id, state, requested_at_ms, updated_at_ms) values ('running-one', 1, 'running', 1, 1)`.execute(
      model.write,
    );
    await ask('action=catalog_delete&filter=1');
    await sql`delete from ingestion.scan where id = 'running-one'`.execute(model.write);
    expect(sent()).toEqual(['cancel-scan', 'remove-catalog']);
    expect(commands.sent[0]?.message.data).toEqual({ scanId: 'running-one', andWait: true });
  });

  it('are made with the patterns of the specification', async () => {
    await ask('action=catalog_add&name=a&path=/music/1');
    expect(commands.sent[0]?.message.data).toMatchObject({ renamePattern: '%T - %t', sortPattern: '%a/%A', gatherTypes: 'music' });
    await ask('action=catalog_create&name=a&path=/music/1&file_pattern=%25t&folder_pattern=%25A&media_type=clip');
    expect(commands.sent[1]?.message.data).toMatchObject({ renamePattern: '%t', sortPattern: '%A', gatherTypes: 'video' });
  });

  it('tell when they were last added to, cleaned and verified', async () => {
    const times = async () => {
      const { last_add, last_clean, last_update } = JSON.parse(await call('action=catalog&filter=2')) as Record<string, unknown>;
      return [last_add, last_clean, last_update];
    };
    const finished = (id: string, mode: string, atMs: number, state = 'finished') =>
      sql`insert into ingestion.scan (id, catalog_id, mode, state, requested_at_ms, updated_at_ms, finished_at_ms)
        values (${id}, 2, ${mode}, ${state}, 1, ${atMs}, ${atMs})`.execute(model.write);
    expect(await times()).toEqual([0, null, 0]);
    await finished('t1', 'add', 1000_000);
    await finished('t2', 'verify', 2000_000);
    await finished('t3', 'art', 9000_000);
    await finished('t4', 'changes', 8000_000, 'failed');
    expect(await times()).toEqual([1000, null, 2000]);
    await finished('t5', 'clean', 3000_000);
    await finished('t6', 'changes', 2500_000);
    expect(await times()).toEqual([2500, 3000, 2500]);
    await sql`delete from ingestion.scan where catalog_id = 2`.execute(model.write);
  });
});

describe('files and folders', () => {
  it('go to the ingestion service as they were named', async () => {
    const path = `/music/1/it's "50%" & ]]> 語/a.flac`;
    const answer = await ask(`action=catalog_file&filter=1&task=clean,%20VERIFY&file=${encodeURIComponent(path)}`);
    expect(answer).toEqual({ success: `successfully started: clean,verify for ${path}` });
    expect(commands.sent[0]?.message.data).toEqual({ catalogId: 1, kind: 'file', path, tasks: ['clean', 'verify'] });
    await ask('action=catalog_folder&catalog=1&filter=2&task=add&folder=/music/1');
    expect(commands.sent[1]?.message.data).toMatchObject({ catalogId: 1, kind: 'folder' });
  });

  it.each([
    ['action=catalog_file&filter=1&file=/music/1/a.flac', '4710 system'],
    ['action=catalog_file&filter=1&task=add', '4710 system'],
    ['action=catalog_file&filter=1&task=&file=/a', '4710 task'],
    ['action=catalog_file&filter=1&task=add,,clean&file=/a', '4710 task'],
    ['action=catalog_file&filter=1&task=constructor&file=/a', '4710 task'],
    ['action=catalog_file&filter=1&task=add&file=', '4710 file'],
    ['action=catalog_folder&filter=1&task=add&folder=%20', '4710 folder'],
    ['action=catalog_folder&filter=nothing&task=add&folder=/a', '4704 catalog'],
    ['action=catalog_folder&filter=1&task=add&folder=/outside', '4710 folder'],
    ['action=catalog_folder&filter=1&task=add&folder=/missing', '4704 folder'],
    ['action=catalog_action&filter=1&task=__proto__', '4710 task'],
    ['action=song_tags&filter=999', '4704 filter'],
    ['action=song_tags&filter=%27%20or%201=1', '4704 filter'],
    ['action=update_from_tags&filter=1&type=constructor', '4710 type'],
    ['action=update_art&filter=1&type=song', '4710 type'],
    ['action=update_art&filter=0&type=album', '4704 filter'],
  ])('%s is %s', async (query, expected) => {
    expect(await refusal(query)).toBe(expected);
  });

  it('take a path of a hundred kilobytes as a bad one', async () => {
    const answer = await gateway.app.inject({
      method: 'POST',
      url: '/server/json.server.php?version=8.0.0',
      headers: { authorization: `Bearer ${manager.token}`, 'content-type': 'application/json' },
      payload: { action: 'catalog_file', filter: '1', task: 'add', file: '/music/1/'.padEnd(100_000, 'x') },
    });
    expect(answer.json()).toMatchObject({ error: { errorCode: '4710', errorType: 'file' } });
  });
});

describe('tags and pictures', () => {
  it('are read again for all songs of an album or artist, some hundred at a time', async () => {
    await ask('action=update_from_tags&filter=1&type=album');
    expect(commands.sent[0]?.message.data).toEqual({ songIds: [1, 2] });
    await ask('action=update_from_tags&filter=1&type=artist');
    expect(commands.sent[1]?.message.data).toEqual({ songIds: [1, 2] });
  });

  it('say why no file of a thing could be read', async () => {
    const none = { filesRead: 0, songsAdded: 0, songsChanged: 0, songsMoved: 0, songsRemoved: 0, filesSkipped: 0, skipped: [] };
    commands.handle(rereadSongs, async () => ({ result: none, positions: [] }));
    expect(await refusal('action=update_from_tags&filter=1&type=song')).toBe('4704 filter');
    const skipped = [{ path: 'x/a.flac', reason: 'unreadable' as const, message: 'the file cannot be read (EACCES)' }];
    commands.handle(rereadSongs, async () => ({ result: { ...none, filesSkipped: 1, skipped }, positions: [] }));
    expect((await ask('action=update_from_tags&filter=1&type=song')).error).toMatchObject({
      errorCode: '4702',
      errorMessage: 'the file cannot be read (EACCES)',
    });
  });

  describe('where there is a picture', () => {
    beforeEach(() => sql`update library.album set art_hash = 'abc' where id = 1`.execute(model.write));
    afterEach(() => sql`update library.album set art_hash = null where id = 1`.execute(model.write));

    it('update_art reads again, unless it shall keep what is there', async () => {
      const found = {
        success: 'Gathered new art for: 1 (album)',
        art: 'http://server.example/image.php?object_id=1&object_type=album&auth=manager-token&name=art.jpg',
      };
      expect(await ask('action=update_art&filter=1&type=album&overwrite=0')).toEqual(found);
      expect(sent()).toEqual([]);
      expect(await ask('action=update_art&filter=1&type=album')).toEqual(found);
      expect(sent()).toEqual(['reread-songs']);
    });

    const forms = [8, 6, 5, 4].flatMap((version) => (['json', 'xml'] as const).map((form) => ({ version, form })));
    it.each(forms)('update_art answers in version $version as $form', async ({ version, form }) => {
      const versions: Readonly<Record<number, string>> = { 8: '8.0.0', 6: '6.9.2', 5: '5.5.6', 4: '443000' };
      const body = await call('action=update_art&filter=1&type=album', testAccounts.admin.token, {
        version: versions[version] ?? '',
        form,
      });
      expectGolden('native', 'update_art (found)', { format: form, variant: version }, body);
    });
  });
});
