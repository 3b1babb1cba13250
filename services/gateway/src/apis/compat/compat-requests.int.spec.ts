import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CompatWorld } from '../../../test/servers/compat-world.js';

let world: CompatWorld;

beforeAll(async () => {
  world = await CompatWorld.start();
});
afterAll(() => world.stop());

describe('requests', () => {
  it('are answered with status 200 and a type that tells an envelope from bytes', async () => {
    expect(await world.server.call('getSong.view', { id: 'nothing' })).toMatchObject({ status: 200, type: 'text/xml; charset=UTF-8' });
    expect(await world.server.call('stream', { id: 'so-999', f: 'json' })).toMatchObject({
      status: 200,
      type: 'application/json; charset=UTF-8',
    });
    expect(await world.server.call('PING.view')).toMatchObject({
      status: 200,
      headers: expect.objectContaining({ 'access-control-allow-origin': '*' }),
    });
  });

  it('take parameters from a form body, which wins over the query', async () => {
    const response = await world.server.app.inject({
      method: 'POST',
      url: '/rest/getSong.view?id=so-2&f=xml',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'u=ada&p=secret&v=1.16.1&c=test&f=json&id=so-3',
    });
    expect(response.json()['subsonic-response'].song.id).toBe('so-3');
  });

  it('answer a call with padding', async () => {
    const { type, body } = await world.server.call('ping', { f: 'jsonp', callback: 'app.done' });
    expect(type).toBe('text/javascript; charset=UTF-8');
    expect(body).toMatch(/^app\.done\(\{"subsonic-response":\{"status":"ok".*\}\);$/);
    expect(await world.codeOf('ping', { f: 'jsonp', callback: 'alert(1)' })).toBeUndefined();
    expect((await world.server.call('ping', { f: 'jsonp', callback: 'alert(1)//' })).body).toContain('"code":10');
  });

  it('that are too large are refused in the envelope', async () => {
    const response = await world.server.app.inject({
      method: 'POST',
      url: '/rest/ping.view?f=json',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `c=${'x'.repeat(200_000)}`,
    });
    expect(response.statusCode).toBe(200);
    expect(response.json()['subsonic-response']).toMatchObject({ status: 'failed', type: 'continuo', error: { code: 0 } });
  });

  it('with a NUL character are refused in the envelope', async () => {
    const response = await world.server.app.inject({ url: '/rest/ping.view?f=json&u=ada%00' });
    expect(response.json()['subsonic-response'].error.code).toBe(10);
  });

  it('with a NUL character are refused in the format that a form names', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await world.server.app.inject({ method: 'POST', url: '/rest/ping.view', headers, payload: 'f=json&u=ada%00' });
    expect(response.json()['subsonic-response'].error.code).toBe(10);
  });
});

describe('who calls', () => {
  const anonymous = async (query: string) => (await world.server.app.inject({ url: `/rest/${query}` })).json()['subsonic-response'];

  it('is told who answers, also when the credentials are wrong', async () => {
    expect(await world.ask('ping', { p: 'placeholder' })).toMatchObject({
      status: 'failed',
      type: 'continuo',
      openSubsonic: true,
      error: { code: 40 },
    });
    expect((await world.ask('ping', { u: 'nobody' })).error).toEqual((await world.ask('ping', { p: 'wrong' })).error);
  });

  it('is refused with the number for each way of being wrong', async () => {
    expect(await world.codeOf('ping', { t: 'abc', s: 'def' })).toBe(41);
    expect((await anonymous('ping?f=json&v=1.16.1&c=x&apiKey=key-zed')).error.code).toBe(44);
    expect((await anonymous('ping?f=json&v=1.16.1&c=x&apiKey=key-ada&u=ada')).error.code).toBe(43);
    expect((await anonymous('ping?f=json&v=1.16.1&c=x')).error.code).toBe(10);
    expect((await anonymous('ping?f=json')).error.code).toBe(10);
    expect(await world.codeOf('ping', { v: '1.99.0' })).toBe(30);
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
    expect(await world.codeOf('startScan', {}, 'bob')).toBe(50);
    expect(await world.codeOf('startScan', {}, 'mia')).toBeUndefined();
    expect(await world.codeOf('stream', { id: 'so-1' }, 'gus')).toBe(50);
    expect(await world.codeOf('download', { id: 'so-1' }, 'gus')).toBe(50);
    expect(await world.codeOf('getUser', { username: 'ada' }, 'bob')).toBe(50);
    expect((await world.ask('getUser', { username: 'BOB' }, 'bob')).user).toMatchObject({
      username: 'bob',
      adminRole: false,
      streamRole: true,
      folder: [1, 2],
    });
  });
});

describe('ids', () => {
  it('of another kind, or of nothing, are not found', async () => {
    for (const id of ['al-1', 'so-999', 'x', 'so-99999999999', '0'])
      expect({ id, code: await world.codeOf('getSong', { id }) }).toEqual({ id, code: 70 });
    expect(await world.codeOf('getAlbum', { id: 'so-1' })).toBe(70);
    expect((await world.ask('getSong', { id: '3' })).song.id).toBe('so-3');
    expect((await world.ask('getAlbum', { id: '0.0.0.1' })).album.id).toBe('al-1');
  });
});

describe('what cannot be done', () => {
  it('says so in an envelope', async () => {
    expect(await world.codeOf('getPlaylist', { id: 'pl-1' })).toBe(70);
    expect(await world.codeOf('jukeboxControl', { action: 'get' })).toBe(50);
    expect(await world.codeOf('createUser', {}, 'bob')).toBe(50);
    expect(await world.codeOf('createUser')).toBe(10);
    expect(await world.codeOf('getAvatar', { username: 'ada' })).toBe(70);
  });

  it('does not exist for the legacy form where it is younger than that', async () => {
    const { error } = await world.ask('getSonicSimilarTracks', { id: 'so-1', c: 'DSub' });
    expect(error).toEqual((await world.ask('getEverything')).error);
  });
});
