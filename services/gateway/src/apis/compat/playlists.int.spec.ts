import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changePlaylist, deleteSmartlist, playlistId, Rejection, replacePlaylistMembers, userId } from '@continuo/contracts';
import { answerPlaylists } from '@continuo/read-model';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asking } from '../../../test/servers/compat-asking.js';
import { compatServer, type CallParams, type CompatServer, type TestAccount } from '../../../test/servers/compat-server.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedSmartlists } from '../../../test/library/smartlist-fixture.js';
import { seedTestAccounts } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let server: CompatServer;
let folder: string;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  // Names of the accounts that the server of these specs knows.
  const template = await model.write.selectFrom('social.user').selectAll().limit(1).executeTakeFirstOrThrow();
  await model.write.deleteFrom('social.user').execute();
  const rows = ['ada', 'mia', 'bob', 'gus'].map((username, index) => ({ ...template, id: index + 1, username, username_key: username }));
  await model.write.insertInto('social.user').values(rows).execute();
  folder = await mkdtemp(join(tmpdir(), 'continuo-compat-lists-'));
  server = await compatServer(model.read, folder);
  await answerPlaylists(server.commands, model.write as unknown as Kysely<unknown>);
  await seedSmartlists(model.write);
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const { ask, codeOf } = asking(() => server);
const make = async (name: string, songId: readonly string[] = [], as: TestAccount = 'ada'): Promise<string> =>
  (await ask('createPlaylist', { name, songId }, as)).playlist.id;
const songsOf = async (id: string, as: TestAccount = 'ada'): Promise<string[]> =>
  (await ask('getPlaylist', { id }, as)).playlist.entry.map((entry: { id: string }) => entry.id);
const sendChange = async (id: string, changes: object): Promise<void> => {
  const context = { actor: 'system', correlationId: 'spec', causationId: 'spec' };
  await server.commands.send(changePlaylist, { playlistId: playlistId.parse(Number(id.slice(3))), ...changes }, context);
};

describe('createPlaylist', () => {
  it('answers the list, songs in order and repeated', async () => {
    const { playlist } = await ask('createPlaylist', { name: ' Sunday ', songId: ['so-2', 'so-1', '2'] }, 'bob');
    expect(playlist).toMatchObject({ name: 'Sunday', owner: 'bob', public: true, songCount: 3, readonly: false });
    expect(playlist.entry.map((entry: { id: string }) => entry.id)).toEqual(['so-2', 'so-1', 'so-2']);
    expect(await songsOf(playlist.id, 'bob')).toEqual(['so-2', 'so-1', 'so-2']);
  });

  it('makes an empty one, and a second one of the same name', async () => {
    const [first, second] = [await make('Twice'), await make('Twice')];
    expect(first).not.toBe(second);
    expect(await ask('getPlaylist', { id: first })).toMatchObject({ playlist: { songCount: 0, duration: 0, entry: [] } });
  });

  it('replaces what is in a list, and its name when it is told', async () => {
    const id = await make('Before', ['so-1', 'so-2', 'so-3']);
    expect((await ask('createPlaylist', { playlistId: id, songId: ['so-3', 'so-1'] })).playlist).toMatchObject({
      id,
      name: 'Before',
      songCount: 2,
    });
    expect((await ask('createPlaylist', { playlistId: id, name: 'After' })).playlist).toMatchObject({
      id,
      name: 'After',
      songCount: 0,
      entry: [],
    });
  });

  it('does nothing when anything is wrong', async () => {
    const id = await make('Kept', ['so-1']);
    expect(await codeOf('createPlaylist')).toBe(10);
    expect(await codeOf('createPlaylist', { name: 'x'.repeat(256) })).toBe(10);
    expect(await codeOf('createPlaylist', { name: 'New', songId: ['so-1', 'so-999'] })).toBe(70);
    expect(await codeOf('createPlaylist', { name: 'New', songId: 'al-1' })).toBe(70);
    expect(await codeOf('createPlaylist', { playlistId: id, songId: ['so-2', 'so-999'] })).toBe(70);
    expect(await codeOf('createPlaylist', { playlistId: 'pl-999', songId: 'so-1' })).toBe(70);
    expect(await codeOf('createPlaylist', { playlistId: 'so-1' })).toBe(70);
    expect(await codeOf('createPlaylist', { playlistId: 'sp-1' })).toBe(50);
    expect(await codeOf('createPlaylist', { playlistId: 'sp-99' })).toBe(70);
    expect(await codeOf('createPlaylist', { playlistId: id, songId: 'so-2' }, 'bob')).toBe(50);
    expect(await songsOf(id)).toEqual(['so-1']);
    expect((await ask('getPlaylists')).playlists.playlist.filter(({ name }: { name: string }) => name === 'New')).toEqual([]);
  });
});

describe('updatePlaylist', () => {
  let id: string;
  beforeEach(async () => {
    id = await make('Changing', ['so-1', 'so-2', 'so-3', 'so-1', 'so-2']);
  });

  it('removes by places in the list as it was, in any order, then adds behind', async () => {
    expect(
      (await ask('updatePlaylist', { playlistId: id, songIndexToRemove: ['3', '0', '1', '1'], songIdToAdd: ['so-4', 'so-3'] })).status,
    ).toBe('ok');
    expect(await songsOf(id)).toEqual(['so-3', 'so-2', 'so-4', 'so-3']);
  });

  it('changes name, comment and who may open it, and leaves alone what is not said', async () => {
    await ask('updatePlaylist', { playlistId: id, name: 'Changed', comment: 'Two & <three>', public: false });
    await ask('updatePlaylist', { playlistId: id });
    await ask('updatePlaylist', { playlistId: id, name: '', songIdToAdd: 'so-4' });
    expect((await ask('getPlaylist', { id })).playlist).toMatchObject({
      name: 'Changed',
      comment: 'Two & <three>',
      public: false,
      songCount: 6,
    });
    await ask('updatePlaylist', { playlistId: id, comment: '', public: 'true' });
    const { playlist } = await ask('getPlaylist', { id });
    expect(playlist).toMatchObject({ name: 'Changed', public: true });
    expect(playlist).not.toHaveProperty('comment');
  });

  it('does nothing when anything is wrong', async () => {
    for (const [code, params] of [
      [10, { songIndexToRemove: '5' }],
      [10, { songIndexToRemove: ['0', '-1'] }],
      [10, { songIndexToRemove: 'first' }],
      [10, { songIndexToRemove: '0', comment: 'x'.repeat(2001) }],
      [70, { songIndexToRemove: '0', songIdToAdd: ['so-1', 'so-999'] }],
    ] as const)
      expect(await codeOf('updatePlaylist', { playlistId: id, name: 'Not this', ...params })).toBe(code);
    expect(await codeOf('updatePlaylist', { playlistId: 'pl-999', name: 'x' })).toBe(70);
    expect(await codeOf('updatePlaylist', { playlistId: 'sp-1', name: 'x' })).toBe(50);
    expect(await codeOf('updatePlaylist', { name: 'x' })).toBe(10);
    expect((await ask('getPlaylist', { id })).playlist).toMatchObject({ name: 'Changing', songCount: 5 });
  });
});

describe('who may what', () => {
  let id: string;
  beforeEach(async () => {
    id = await make('Ours', ['so-1'], 'mia');
    await ask('updatePlaylist', { playlistId: id, public: false }, 'mia');
  });

  it('keeps a private list from others, administrators excepted', async () => {
    for (const [operation, params] of [
      ['getPlaylist', { id }],
      ['updatePlaylist', { playlistId: id, songIdToAdd: 'so-2' }],
      ['createPlaylist', { playlistId: id, songId: 'so-2' }],
      ['deletePlaylist', { id }],
    ] as const)
      expect(await codeOf(operation, params, 'bob')).toBe(70);
    const idsFor = async (as: TestAccount, params: CallParams = {}): Promise<string[]> =>
      (await ask('getPlaylists', params, as)).playlists.playlist.map((list: { id: string }) => list.id);
    expect(await idsFor('bob')).not.toContain(id);
    expect(await idsFor('mia')).toContain(id);
    expect(await idsFor('ada', { username: 'mia' })).toEqual(await idsFor('mia'));
    expect(await codeOf('getPlaylists', { username: 'mia' }, 'bob')).toBe(50);
    expect(await codeOf('getPlaylists', { username: 'nobody' })).toBe(70);
    expect(await songsOf(id)).toEqual(['so-1']);
  });

  it('lets a collaborator change the songs and nothing else', async () => {
    await sendChange(id, { collaboratorIds: [userId.parse(3)] });
    expect((await ask('getPlaylist', { id }, 'bob')).playlist).toMatchObject({ readonly: false, allowedUser: ['bob'] });
    expect((await ask('updatePlaylist', { playlistId: id, songIdToAdd: 'so-2', name: 'Ours', public: false }, 'bob')).status).toBe('ok');
    expect(await codeOf('updatePlaylist', { playlistId: id, songIdToAdd: 'so-3', public: true }, 'bob')).toBe(50);
    expect(await codeOf('createPlaylist', { playlistId: id, name: 'Mine', songId: 'so-3' }, 'bob')).toBe(50);
    expect(await codeOf('deletePlaylist', { id }, 'bob')).toBe(50);
    expect(await songsOf(id)).toEqual(['so-1', 'so-2']);
    expect((await ask('createPlaylist', { playlistId: id, songId: ['so-3', 'so-1'] }, 'bob')).playlist.songCount).toBe(2);
  });

  it('shows a public list as one that cannot be changed, and does not tell with whom it is shared', async () => {
    await sendChange(id, { isPublic: true, collaboratorIds: [userId.parse(1)] });
    const { playlist } = await ask('getPlaylist', { id }, 'gus');
    expect(playlist).toMatchObject({ readonly: true, allowedUser: [] });
    expect(await codeOf('updatePlaylist', { playlistId: id, name: 'x' }, 'gus')).toBe(50);
  });

  it('deletes for good', async () => {
    expect((await ask('deletePlaylist', { id }, 'mia')).status).toBe('ok');
    for (const operation of ['getPlaylist', 'deletePlaylist']) expect(await codeOf(operation, { id }, 'mia')).toBe(70);
    expect(await codeOf('deletePlaylist', { id: 'sp-1' }, 'mia')).toBe(50);
    expect(await codeOf('deletePlaylist', {}, 'mia')).toBe(10);
  });
});

describe('what a caller does not see of a list', () => {
  it('stays when the list is replaced, and others find it behind', async () => {
    const id = await make('Half seen', ['so-1', 'so-2', 'so-3']);
    await sendChange(id, { places: [{ entry: 2, objectId: 777 }] });
    expect(await songsOf(id)).toEqual(['so-1', 'so-3']);
    const { body } = await server.call('getPlaylist', { id, f: 'json' });
    expect(body).not.toContain('so-777');
    await ask('createPlaylist', { playlistId: id, songId: ['so-3', 'so-4'] });
    const last = server.commands.sent.findLast(({ subject }) => subject === replacePlaylistMembers.subject);
    expect(last?.message.data).toMatchObject({
      members: [
        { kind: 'song', objectIds: [3, 4] },
        { kind: 'song', objectIds: [777] },
      ],
    });
  });

  it('is limited to one music folder where a client asks for it', async () => {
    const id = await make('Two folders', ['so-1', 'so-5']);
    const only = (await ask('getPlaylist', { id, musicFolderId: 2 })).playlist.entry.map((entry: { id: string }) => entry.id);
    expect(only).toEqual(['so-5']);
    expect((await ask('getPlaylist', { id, musicFolderId: 77 })).playlist).toMatchObject({ songCount: 0, entry: [] });
  });
});

describe('smartlists among playlists', () => {
  const idsFor = async (as: TestAccount): Promise<string[]> =>
    (await ask('getPlaylists', {}, as)).playlists.playlist
      .map((list: { id: string }) => list.id)
      .filter((id: string) => id.startsWith('sp-'))
      .toSorted();

  it('are listed for those who may open them, and cannot be changed', async () => {
    expect(await idsFor('ada')).toEqual(['sp-1', 'sp-2', 'sp-4']);
    expect(await idsFor('bob')).toEqual(['sp-1', 'sp-4']);
    const { playlist } = await ask('getPlaylist', { id: 'sp-1' });
    expect(playlist).toMatchObject({ id: 'sp-1', owner: 'ada', public: true, readonly: true, songCount: 2, duration: 363 });
    expect(playlist.entry.map((entry: { id: string }) => entry.id).toSorted()).toEqual(['so-1', 'so-2']);
    expect(await codeOf('getPlaylist', { id: 'sp-3' }, 'bob')).toBe(70);
    expect(await codeOf('getPlaylist', { id: 'sp-99' })).toBe(70);
    expect((await ask('getPlaylist', { id: 'sp-1', musicFolderId: 77 })).playlist.entry).toEqual([]);
  });

  it('are ended by their owner alone', async () => {
    expect(await codeOf('deletePlaylist', { id: 'sp-1' }, 'bob')).toBe(50);
    expect((await ask('deletePlaylist', { id: 'sp-3' }, 'mia')).status).toBe('ok');
    expect(server.commands.sent.at(-1)).toMatchObject({ subject: deleteSmartlist.subject, message: { data: { smartlistId: 3 } } });
  });
});

it('waits for somebody who is faster, and says so when that does not end', async () => {
  const id = await make('Busy', ['so-1']);
  const tries: number[] = [];
  server.commands.handle(replacePlaylistMembers, async ({ data }) => {
    tries.push(data.expectedRevision ?? -1);
    throw new Rejection('conflict');
  });
  expect(await codeOf('createPlaylist', { playlistId: id, songId: 'so-2' })).toBe(0);
  expect(tries).toHaveLength(4);
  await answerPlaylists(server.commands, model.write as unknown as Kysely<unknown>);
});

it('finds ids in every spelling', async () => {
  const id = await make('Spelt', ['so-1']);
  const number = Number(id.slice(3));
  for (const spelling of [`PL-${number}`, `pl-pl-${number}`, String(number), String(800_000_000 + number)])
    expect((await ask('getPlaylist', { id: spelling })).playlist.id).toBe(id);
  expect(await codeOf('getPlaylist', { id: `al-${number}` })).toBe(70);
  expect(await codeOf('getPlaylist', { id: "1' or 1=1" })).toBe(70);
});
