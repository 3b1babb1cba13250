import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_CHAT_CHARS, sendChatMessage } from '@continuo/contracts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compatServer, NOW_MS, type CallParams, type CompatServer, type TestAccount } from '../testkit/compat-server.js';
import { seedFixtureLibrary } from '../testkit/fixture-library.js';
import { fixtureSongs } from '../testkit/fixture-songs.js';
import { ShareWriter } from '../testkit/share-writer.js';
import { testReadModel, type TestReadModel } from '../testkit/read-model-database.js';

let model: TestReadModel;
let server: CompatServer;
let folder: string;
const bytes = Buffer.from('0123456789'.repeat(100));

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  folder = await mkdtemp(join(tmpdir(), 'continuo-compat-'));
  await mkdir(join(folder, 'music/Harbour Lights/The Long Night'), { recursive: true });
  await writeFile(join(folder, 'music/Harbour Lights/The Long Night/01 Opening.flac'), bytes);
  await model.write
    .updateTable('library.catalog')
    .set({ path: join(folder, 'music') })
    .where('id', '=', 1)
    .execute();
  server = await compatServer(model.read, join(folder, 'art'));
});

afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

// oxlint-disable-next-line typescript/no-explicit-any
const ask = async (operation: string, params: CallParams = {}, as: TestAccount = 'ada'): Promise<any> => {
  const { body } = await server.call(operation, { ...params, f: 'json' }, as);
  return (JSON.parse(body) as Record<string, unknown>)['subsonic-response'];
};
const codeOf = async (operation: string, params: CallParams = {}, as: TestAccount = 'ada'): Promise<number> =>
  (await ask(operation, params, as)).error?.code;
const names = (items: readonly { name?: string; title?: string }[]): (string | undefined)[] => items.map((item) => item.title ?? item.name);

const sorted = (texts: readonly (string | undefined)[]): (string | undefined)[] => texts.toSorted((a = '', b = '') => a.localeCompare(b));

describe('requests', () => {
  it('are answered with status 200 and a type that tells an envelope from bytes', async () => {
    expect(await server.call('getSong.view', { id: 'nothing' })).toMatchObject({ status: 200, type: 'text/xml; charset=UTF-8' });
    expect(await server.call('stream', { id: 'so-999', f: 'json' })).toMatchObject({
      status: 200,
      type: 'application/json; charset=UTF-8',
    });
    expect(await server.call('PING.view')).toMatchObject({
      status: 200,
      headers: expect.objectContaining({ 'access-control-allow-origin': '*' }),
    });
  });

  it('take parameters from a form body, which wins over the query', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/rest/getSong.view?id=so-2&f=xml',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'u=ada&p=secret&v=1.16.1&c=test&f=json&id=so-3',
    });
    expect(response.json()['subsonic-response'].song.id).toBe('so-3');
  });

  it('answer a call with padding', async () => {
    const { type, body } = await server.call('ping', { f: 'jsonp', callback: 'app.done' });
    expect(type).toBe('text/javascript; charset=UTF-8');
    expect(body).toMatch(/^app\.done\(\{"subsonic-response":\{"status":"ok".*\}\);$/);
    expect(await codeOf('ping', { f: 'jsonp', callback: 'alert(1)' })).toBeUndefined();
    expect((await server.call('ping', { f: 'jsonp', callback: 'alert(1)//' })).body).toContain('"code":10');
  });

  it('that are too large are refused in the envelope', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/rest/ping.view?f=json',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `c=${'x'.repeat(200_000)}`,
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()['subsonic-response']).toMatchObject({ status: 'failed', type: 'continuo', error: { code: 0 } });
  });

  it('with a NUL character are refused in the envelope', async () => {
    const response = await server.app.inject({ url: '/rest/ping.view?f=json&u=ada%00' });
    expect(response.json()['subsonic-response'].error.code).toBe(10);
  });
});

describe('who calls', () => {
  const anonymous = async (query: string) => (await server.app.inject({ url: `/rest/${query}` })).json()['subsonic-response'];

  it('is told who answers, also when the credentials are wrong', async () => {
    expect(await ask('ping', { p: 'placeholder' })).toMatchObject({
      status: 'failed',
      type: 'continuo',
      openSubsonic: true,
      error: { code: 40 },
    });
    expect((await ask('ping', { u: 'nobody' })).error).toEqual((await ask('ping', { p: 'wrong' })).error);
  });

  it('is refused with the number for each way of being wrong', async () => {
    expect(await codeOf('ping', { t: 'abc', s: 'def' })).toBe(41);
    expect((await anonymous('ping?f=json&v=1.16.1&c=x&apiKey=key-zed')).error.code).toBe(44);
    expect((await anonymous('ping?f=json&v=1.16.1&c=x&apiKey=key-ada&u=ada')).error.code).toBe(43);
    expect((await anonymous('ping?f=json&v=1.16.1&c=x')).error.code).toBe(10);
    expect((await anonymous('ping?f=json')).error.code).toBe(10);
    expect(await codeOf('ping', { v: '1.99.0' })).toBe(30);
  });

  it('may ask for the extensions without saying who it is', async () => {
    for (const name of ['getOpenSubsonicExtensions', 'getCompatExtensions.view']) {
      expect((await anonymous(`${name}?f=json`)).openSubsonicExtensions).toContainEqual({ name: 'formPost', versions: [1] });
    }
  });

  it('learns whom a key belongs to', async () => {
    expect((await anonymous('tokenInfo?f=json&v=1.16.1&c=x&apiKey=key-bob')).tokenInfo).toEqual({ username: 'bob' });
  });

  it('gets no further than the account may go', async () => {
    expect(await codeOf('startScan', {}, 'bob')).toBe(50);
    expect(await codeOf('startScan', {}, 'mia')).toBeUndefined();
    expect(await codeOf('stream', { id: 'so-1' }, 'gus')).toBe(50);
    expect(await codeOf('download', { id: 'so-1' }, 'gus')).toBe(50);
    expect(await codeOf('getUser', { username: 'ada' }, 'bob')).toBe(50);
    expect((await ask('getUser', { username: 'BOB' }, 'bob')).user).toMatchObject({
      username: 'bob',
      adminRole: false,
      streamRole: true,
      folder: [1, 2],
    });
  });
});

describe('lists of albums', () => {
  const list = async (params: CallParams): Promise<unknown[]> => names((await ask('getAlbumList2', params)).albumList2.album);

  it('come in the order that is asked for', async () => {
    expect(await list({ type: 'alphabeticalByName' })).toEqual(['[Unknown Album]', 'The Long Night', 'Ports', 'Сборник']);
    expect(await list({ type: 'alphabeticalByArtist' })).toEqual(['[Unknown Album]', 'Ports', 'The Long Night', 'Сборник']);
    expect(await list({ type: 'newest' })).toEqual(['Ports', '[Unknown Album]', 'Сборник', 'The Long Night']);
    expect(await list({ type: 'frequent' })).toEqual(['Сборник', 'The Long Night', 'Ports']);
    expect(await list({ type: 'recent' })).toEqual(['Ports', 'The Long Night', 'Сборник']);
    expect(await list({ type: 'byYear', fromYear: 1990, toYear: 2005 })).toEqual(['Ports', 'The Long Night']);
    expect(await list({ type: 'byYear', fromYear: 2018, toYear: 1999 })).toEqual(['Сборник', 'The Long Night', 'Ports']);
    expect(await list({ type: 'byGenre', genre: 'FOLK' })).toEqual(['The Long Night', 'Ports']);
    expect(await list({ type: 'byGenre', genre: 'Polka' })).toEqual([]);
    expect(new Set(await list({ type: 'random', size: 500 }))).toHaveProperty('size', 4);
    expect(await list({ type: 'highest' })).toEqual([]);
  });

  it('do not count a song that was only ever skipped as played', async () => {
    const skipped = { song_id: 4, play_count: 0, skip_count: 2, last_played_at_ms: null, last_skipped_at_ms: NOW_MS };
    await model.write.insertInto('playback.song_plays').values(skipped).execute();
    expect(await list({ type: 'recent' })).toEqual(['Ports', 'The Long Night', 'Сборник']);
    expect(await list({ type: 'frequent' })).toEqual(['Сборник', 'The Long Night', 'Ports']);
    expect((await ask('getSong', { id: 'so-4' })).song).toMatchObject({ playCount: 0 });
    expect((await ask('getSong', { id: 'so-4' })).song).not.toHaveProperty('played');
    await model.write.deleteFrom('playback.song_plays').where('song_id', '=', 4).execute();
  });

  it('are cut into pages and limited to a folder, and an unknown folder holds nothing', async () => {
    expect(await list({ type: 'alphabeticalByName', size: 2, offset: 1 })).toEqual(['The Long Night', 'Ports']);
    expect(await list({ type: 'alphabeticalByName', musicFolderId: 2 })).toEqual(['Ports']);
    expect(await list({ type: 'random', musicFolderId: 'mf-2' })).toEqual(['Ports']);
    for (const musicFolderId of [99, 'all', 'so-1']) expect(await list({ type: 'newest', musicFolderId })).toEqual([]);
  });

  it('refuse an unknown type and a missing condition', async () => {
    expect(await codeOf('getAlbumList2', { type: 'best' })).toBe(10);
    expect(await codeOf('getAlbumList2', {})).toBe(10);
    expect(await codeOf('getAlbumList2', { type: 'byYear', fromYear: 1 })).toBe(10);
    expect(await codeOf('getAlbumList2', { type: 'byGenre' })).toBe(10);
  });
});

describe('random songs', () => {
  const pick = async (params: CallParams): Promise<(string | undefined)[]> =>
    sorted(names((await ask('getRandomSongs', params)).randomSongs.song));

  it('are within the limits', async () => {
    expect(await pick({ size: 500 })).toHaveLength(5);
    expect(await pick({ size: 2 })).toHaveLength(2);
    expect(await pick({ genre: 'folk', size: 10 })).toEqual(['Harbour Song', 'Opening Æther', 'Second Watch']);
    expect(await pick({ genre: 'folk', toYear: 2000 })).toEqual(['Harbour Song']);
    expect(await pick({ fromYear: 2004, toYear: 2010 })).toEqual(['Opening Æther', 'Second Watch']);
    expect(await pick({ musicFolderId: 2 })).toEqual(['Harbour Song']);
    expect(await pick({ genre: 'polka' })).toEqual([]);
  });
});

describe('searches', () => {
  const search = async (query: string, params: CallParams = {}) => {
    const { artist, album, song } = (await ask('search3', { query, ...params })).searchResult3;
    return { artist: names(artist), album: names(album), song: names(song) };
  };

  it('match beginnings of words without regard to case and accents, best first', async () => {
    expect(await search('harb')).toEqual({ artist: ['The Harbour Lights'], album: [], song: ['Harbour Song'] });
    expect((await search('zoe')).artist).toEqual(['Zoë Quill']);
    expect((await search('ÉTÉ')).artist).toEqual(['Anna Été']);
    expect((await search('один')).song).toEqual(['Ещё один день']);
    expect((await search('watch*')).song).toEqual(['Second Watch']);
    expect((await search('atch')).song).toEqual([]);
    expect((await search('ta')).song).toEqual(['untitled take']);
  });

  it('want all words, and any of them only when nothing holds all', async () => {
    expect((await search('second watch')).song).toEqual(['Second Watch']);
    expect((await search('watch second')).song).toEqual(['Second Watch']);
    expect(sorted((await search('second song')).song)).toEqual(['Harbour Song', 'Second Watch']);
  });

  it('take quoted and joined groups as they stand', async () => {
    expect((await search('"second watch"')).song).toEqual(['Second Watch']);
    expect((await search('"watch second"')).song).toEqual([]);
    expect((await search('second+watch')).song).toEqual(['Second Watch']);
    expect((await search('"The Harbour Lights"')).artist).toEqual(['The Harbour Lights']);
    expect((await search('"harb"')).artist).toEqual([]);
  });

  it('of the oldest kind want all that is asked for, and tell how many songs there are', async () => {
    const matches = async (params: CallParams) => {
      const { totalHits, offset, match } = (await ask('search', params)).searchResult;
      return { totalHits, offset, songs: names(match) };
    };
    expect(await matches({ title: 'watch' })).toEqual({ totalHits: 1, offset: 0, songs: ['Second Watch'] });
    expect(await matches({ title: 'watch', artist: 'nobody' })).toEqual({ totalHits: 0, offset: 0, songs: [] });
    const any = await matches({ any: 'o', count: 1, offset: 1 });
    expect(any).toMatchObject({ offset: 1, songs: { length: 1 } });
    expect(any.totalHits).toBeGreaterThan(1);
    expect(await matches({ newerThan: 0 })).toMatchObject({ totalHits: 5 });
    expect(await matches({ newerThan: Number.MAX_SAFE_INTEGER })).toMatchObject({ totalHits: 0 });
    expect(await matches({})).toEqual({ totalHits: 0, offset: 0, songs: [] });
    expect(await matches({ title: '   ', any: '' })).toMatchObject({ totalHits: 0 });
  });

  it('survive what could be taken for a pattern', async () => {
    for (const query of ['%', '_', '\\', "'", '[', '(((', '.*', '$1', 'a\\', '!!!', '%%%'])
      expect({ query, status: (await ask('search3', { query })).status }).toEqual({ query, status: 'ok' });
    expect((await search('[unknown')).album).toEqual(['[Unknown Album]']);
  });

  it('for nothing give everything, in pages that fit together', async () => {
    for (const query of ['', '""', '*']) expect((await search(query)).song).toHaveLength(5);
    const pages = await Promise.all(
      [0, 2, 4].map(async (songOffset) => (await search('""', { songCount: 2, songOffset, artistCount: 0, albumCount: 0 })).song),
    );
    expect(pages.flat()).toEqual((await search('""', { songCount: 500 })).song);
    expect(await search('', { artistCount: 0, albumCount: 0, songCount: 500, musicFolderId: 2 })).toEqual({
      artist: [],
      album: [],
      song: ['Harbour Song'],
    });
    expect((await search('', { musicFolderId: 2 })).artist).toEqual(['Anna Été']);
  });

  it('without a query mean everything too, and a count of zero nothing', async () => {
    const { searchResult3 } = await ask('search3', { songCount: 0 });
    expect(searchResult3).toMatchObject({ song: [], album: expect.objectContaining({ length: 4 }) });
  });
});

describe('folders', () => {
  it('can be walked from the top to the songs and back', async () => {
    const { indexes } = await ask('getIndexes');
    expect(indexes.index.map((group: { name: string }) => group.name)).toEqual(['A', 'H', '#']);
    expect(names(indexes.child)).toEqual(['untitled take']);
    const [{ artist }] = indexes.index.filter((group: { name: string }) => group.name === 'H');
    const top = (await ask('getMusicDirectory', { id: artist[0].id })).directory;
    expect(top).toMatchObject({ name: 'Harbour Lights', child: [{ isDir: true, title: 'The Long Night', parent: artist[0].id }] });
    const inner = (await ask('getMusicDirectory', { id: top.child[0].id })).directory;
    expect(names(inner.child)).toEqual(['Opening Æther', 'Second Watch']);
    expect(inner.child[0].parent).toBe(inner.id);
    expect((await ask('getMusicDirectory', { id: inner.parent })).directory.name).toBe('Harbour Lights');
  });

  it('that do not exist are not found', async () => {
    for (const id of ['fo-999', 'ar-999', 'al-999', 'mf-9', '9', 'pl-1', 'nonsense'])
      expect({ id, code: await codeOf('getMusicDirectory', { id }) }).toEqual({ id, code: 70 });
  });
});

describe('top songs', () => {
  const top = async (params: CallParams) => names((await ask('getTopSongs', params)).topSongs.song);

  it('are those of an artist that are played most', async () => {
    expect(await top({ artist: 'the harbour lights' })).toEqual(['Opening Æther']);
    expect(await top({ id: 'ar-2' })).toEqual(['Opening Æther']);
    expect(await top({ id: 'ar-3', artist: 'The Harbour Lights' })).toEqual(['Ещё один день']);
    expect(await top({ artist: 'Nobody' })).toEqual([]);
  });

  it('need an artist who exists', async () => {
    expect(await codeOf('getTopSongs')).toBe(10);
    expect(await codeOf('getTopSongs', { id: 'ar-999' })).toBe(70);
  });
});

describe('accounts', () => {
  it('are shown to administrators', async () => {
    const known = { full_name_public: false, full_name: null, website: null, city: null, state: null, disabled: false, created_at_ms: 1 };
    const secrets = { sealed_password_sha256: null, sealed_password_argon2id: null, sealed_compat_password: null };
    const rows = [
      { id: 1, username: 'ada', username_key: 'ada', email: null, access: 100 },
      { id: 3, username: 'Bob', username_key: 'bob', email: null, access: 25 },
    ];
    await model.write
      .insertInto('social.user')
      .values(rows.map((row) => ({ ...known, ...secrets, ...row })))
      .execute();
    expect((await ask('getUser', { username: 'BOB' })).user).toMatchObject({ username: 'Bob', adminRole: false });
    expect((await ask('getUsers')).users.user).toMatchObject([{ username: 'ada', adminRole: true }, { username: 'Bob' }]);
    expect(await codeOf('getUsers', {}, 'mia')).toBe(50);
    expect(await codeOf('getUser', { username: 'zed' })).toBe(70);
  });
});

describe('ids', () => {
  it('of another kind, or of nothing, are not found', async () => {
    for (const id of ['al-1', 'so-999', 'x', 'so-99999999999', '0'])
      expect({ id, code: await codeOf('getSong', { id }) }).toEqual({ id, code: 70 });
    expect(await codeOf('getAlbum', { id: 'so-1' })).toBe(70);
    expect((await ask('getSong', { id: '3' })).song.id).toBe('so-3');
    expect((await ask('getAlbum', { id: '0.0.0.1' })).album.id).toBe('al-1');
  });
});

describe('plays', () => {
  const recorded = () => server.commands.sent.filter(({ subject }) => subject === 'cmd.playback.record-plays').at(-1)?.message.data;

  it('are recorded at the times that belong to them', async () => {
    await ask('scrobble', { id: ['so-1', 'so-3', 'so-2'], time: ['1714550000000', 'never'] }, 'bob');
    expect(recorded()).toEqual({
      userId: 3,
      client: 'test',
      plays: [
        { songId: 1, playedAtMs: 1_714_550_000_000, durationMs: 181_400 },
        { songId: 3, playedAtMs: NOW_MS, durationMs: expect.any(Number) },
        { songId: 2, playedAtMs: NOW_MS, durationMs: expect.any(Number) },
      ],
    });
  });

  it.each([
    ['to come', NOW_MS + 86_400_000, NOW_MS],
    ['of a clock that stands at 0', 0, NOW_MS],
    ['before everything', -5, NOW_MS],
    ['in seconds', 1_714_550_000, 1_714_550_000_000],
    ['in seconds to come', 1_914_550_000, NOW_MS],
  ])('take a time %s for what it can mean', async (_, time, playedAtMs) => {
    await ask('scrobble', { id: 'so-1', time });
    expect(recorded()).toMatchObject({ plays: [{ playedAtMs }] });
  });

  it('are not counted by what is only playing now, nor by a stream', async () => {
    const before = server.commands.sent.length;
    expect((await ask('scrobble', { id: 'so-1', submission: false })).status).toBe('ok');
    await server.call('stream', { id: 'so-1' });
    expect(server.commands.sent).toHaveLength(before + 1);
    const { subject, message } = server.commands.sent.at(-1) ?? {};
    expect(subject).toBe('cmd.playback.start-playback');
    expect(message?.data).toMatchObject({ userId: 1, client: 'test', objectId: 1, startedAtMs: NOW_MS, isNow: true });
    expect(message?.data).not.toHaveProperty('play');
  });

  it('of nothing are refused', async () => {
    expect(await codeOf('scrobble', {})).toBe(10);
    expect(await codeOf('scrobble', { id: 'so-999' })).toBe(70);
    expect(await codeOf('scrobble', { id: 'al-1' })).toBe(70);
  });
});

describe('media', () => {
  it('are sent whole, in part, as headers alone, and not again when they are the same', async () => {
    const whole = await server.call('stream', { id: 'so-1' });
    expect(whole).toMatchObject({
      status: 200,
      type: 'audio/flac',
      body: bytes.toString(),
      headers: expect.objectContaining({ 'accept-ranges': 'bytes', 'content-length': '1000' }),
    });
    const url = '/rest/stream.view?u=ada&p=secret&v=1.16.1&c=x&id=so-1';
    const part = await server.app.inject({ url, headers: { range: 'bytes=10-14' } });
    expect(part).toMatchObject({ statusCode: 206, body: '01234' });
    expect(part.headers['content-range']).toBe('bytes 10-14/1000');
    expect((await server.app.inject({ url, headers: { range: 'bytes=5000-' } })).statusCode).toBe(416);
    const head = await server.app.inject({ url, method: 'HEAD' });
    expect(head).toMatchObject({ statusCode: 200, body: '' });
    expect(head.headers['content-length']).toBe('1000');
    expect((await server.app.inject({ url, headers: { 'if-none-match': String(whole.headers['etag']) } })).statusCode).toBe(304);
  });

  it('can be downloaded under a name', async () => {
    const { headers } = await server.call('download', { id: 'so-1' });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="The Harbour Lights - Opening .*\.flac"/);
  });

  it('whose file is gone are not found, in an envelope without the headers of bytes', async () => {
    const { type, body, headers } = await server.call('stream', { id: 'so-2' });
    expect(type).toBe('text/xml; charset=UTF-8');
    expect(body).toContain('code="70"');
    expect(headers['accept-ranges']).toBeUndefined();
  });
});

describe('cover art', () => {
  it('is found under the id of an album, a song or a folder, with a second prefix too, and fits the wanted size', async () => {
    const picture = await sharp({ create: { width: 300, height: 150, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const hash = await server.artStore.put(picture);
    expect(hash).toBe(createHash('sha256').update(picture).digest('hex'));
    await model.write
      .insertInto('library.art')
      .values({ hash, mime: 'image/png', size_bytes: picture.length, width_px: 300, height_px: 150 })
      .execute();
    await model.write.updateTable('library.album').set({ art_hash: hash }).where('id', '=', 1).execute();
    await model.write.updateTable('library.folder').set({ art_hash: hash }).where('id', '=', 3).execute();
    for (const id of ['al-1', 'so-1', 'fo-3', 'al-al-1', '1']) {
      const { status, type, headers } = await server.call('getCoverArt', { id });
      expect({ id, status, type, length: headers['content-length'] }).toEqual({
        id,
        status: 200,
        type: 'image/png',
        length: String(picture.length),
      });
    }
    const url = '/rest/getCoverArt?u=ada&p=secret&v=1.16.1&c=x&id=al-1&size=60';
    const small = await sharp((await server.app.inject({ url })).rawPayload).metadata();
    expect(small).toMatchObject({ width: 60, height: 30 });
  });

  it('that does not exist is an envelope', async () => {
    for (const id of ['al-2', 'al-999', 'ar-1', 'pl-1', 'zzz']) expect(await codeOf('getCoverArt', { id })).toBe(70);
  });
});

describe('what is not served', () => {
  it('says so in an envelope', async () => {
    expect(await codeOf('getSonicSimilarTracks', { id: 'so-1' })).toBe(30);
    expect(await codeOf('getPlaylist', { id: 'pl-1' })).toBe(70);
    expect(await codeOf('jukeboxControl', { action: 'get' })).toBe(50);
    expect(await codeOf('createUser', {}, 'bob')).toBe(50);
    expect(await codeOf('createUser')).toBe(10);
    expect(await codeOf('getAvatar', { username: 'ada' })).toBe(70);
    expect(await codeOf('getPodcasts', { id: 'po-1' })).toBe(70);
  });

  it('does not exist for the legacy form where it is younger than that', async () => {
    const { error } = await ask('getSonicSimilarTracks', { id: 'so-1', c: 'DSub' });
    expect(error).toEqual((await ask('getEverything')).error);
  });
});

it('starts a scan of every catalog', async () => {
  expect((await ask('startScan')).scanStatus).toEqual({ scanning: true, count: 5 });
  const scans = server.commands.sent.filter(({ subject }) => subject === 'cmd.ingest.start-scan').map(({ message }) => message.data);
  expect(scans.slice(-2)).toMatchObject([{ catalogId: 1 }, { catalogId: 2 }]);
});

describe('the chat', () => {
  it('takes what somebody says, as it can be shown', async () => {
    const said: unknown[] = [];
    server.commands.handle(sendChatMessage, async ({ data }) => {
      said.push(data);
      return { result: {}, positions: [] };
    });
    for (const message of ['hello 🎻', ' two\nlines ', '\ud83d alone']) expect(await codeOf('addChatMessage', { message })).toBeUndefined();
    expect(said).toEqual(['hello 🎻', 'two\nlines', '\ufffd alone'].map((text) => ({ userId: 1, text })));
  });
  it('refuses what says nothing or too much, and guests', async () => {
    expect(await codeOf('addChatMessage')).toBe(10);
    expect(await codeOf('addChatMessage', { message: ' \u0001 ' })).toBe(10);
    expect(await codeOf('addChatMessage', { message: 'x'.repeat(MAX_CHAT_CHARS + 1) })).toBe(10);
    expect(await codeOf('addChatMessage', { message: 'hello' }, 'gus')).toBe(50);
  });
  it('answers what is newer than a time, strictly, oldest first', async () => {
    await sql`insert into social."user" (id, username, username_key, full_name_public, access, disabled, created_at_ms)
      values (77, 'chatter', 'chatter', false, 25, false, 0)`.execute(model.write);
    const at = (atMs: number, text: string) => ({ id: atMs, user_id: 77, text, at_ms: atMs });
    await model.write
      .insertInto('social.chat_message')
      .values([at(2000, 'second'), at(1000, 'first'), at(3000, 'third')])
      .execute();
    const texts = async (params: CallParams): Promise<string[]> =>
      (await ask('getChatMessages', params)).chatMessages.chatMessage.map((message: { message: string }) => message.message);
    expect(await texts({})).toEqual(['first', 'second', 'third']);
    expect(await texts({ since: 1000 })).toEqual(['second', 'third']);
    expect(await texts({ since: 3000 })).toEqual([]);
    for (const since of ['-1', 'yesterday', '99999999999999999999']) expect(await texts({ since })).toHaveLength(3);
  });
  it('is empty and closed when it is off, and no account has its role', async () => {
    const closed = await compatServer(model.read, join(folder, 'art'), { SOCIABLE: 'off' });
    const answer = async (operation: string, params: CallParams = {}) =>
      JSON.parse((await closed.call(operation, { ...params, f: 'json' })).body)['subsonic-response'];
    expect((await answer('getChatMessages')).chatMessages).toEqual({ chatMessage: [] });
    expect((await answer('addChatMessage', { message: 'hello' })).error.code).toBe(0);
    expect((await answer('getUser', { username: 'ada' })).user.commentRole).toBe(false);
    expect((await ask('getUser', { username: 'ada' })).user.commentRole).toBe(true);
    await closed.app.close();
  });
});

describe('shares', () => {
  it('are the business of their owners and of administrators, and need the role', async () => {
    const shares = new ShareWriter(model.write);
    await shares.add({ id: 1, kind: 'album', object_ids: [1], user_id: 3 });
    await shares.add({ id: 2, kind: 'song', object_ids: [2, 1], user_id: 2 });
    const idsOf = async (as: TestAccount) => ((await ask('getShares', {}, as)).shares.share ?? []).map(({ id }: { id: string }) => id);
    expect(await idsOf('ada')).toEqual(['sh-2', 'sh-1']);
    expect(await idsOf('bob')).toEqual(['sh-1']);
    expect(await codeOf('getShares', {}, 'gus')).toBe(50);
    for (const operation of ['updateShare', 'deleteShare']) {
      expect(await codeOf(operation, { id: 'sh-2' }, 'bob')).toBe(70);
      expect(await codeOf(operation, { id: 'al-2' }, 'bob')).toBe(70);
      expect((await ask(operation, { id: 'sh-1', expires: '99999999999999999' }, 'bob')).status).toBe('ok');
      expect((await ask(operation, { id: '2' }, 'ada')).status).toBe('ok');
    }
    const [first] = (await ask('getShares', {}, 'ada')).shares.share;
    expect(first.entry.map(({ id }: { id: string }) => id)).toEqual(['so-2', 'so-1']);
    expect(new URL(first.url).pathname).toBe('/share.php');
  });
});
