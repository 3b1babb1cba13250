import { answerQuery } from '@continuo/chassis';
import { SERVER_FOLDERS_SUBJECT, serverFoldersQuery, type ServerFolders } from '@continuo/contracts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWorld } from '../../../test/account-page/page-world.fixture.js';
import { startOperatedGateway, type OperatedGateway } from '../../../test/manage/operated-gateway.js';
import { testAccounts } from '../../../test/servers/test-gateway.js';

describe('folders of the server', () => {
  let server: OperatedGateway;
  beforeAll(async () => {
    server = await startOperatedGateway();
  });
  afterAll(() => server.stop());

  it('are unavailable while the library does not run', async () => {
    expect(await server.call('GET', '/server-folders')).toMatchObject({ status: 503 });
  });

  it('are those that the library shows, to administrators', async () => {
    const asked: (string | null)[] = [];
    const listing = { path: '/music', parent: null, unusable: null, folders: [{ name: 'rock', path: '/music/rock' }], isCut: false };
    const answering = answerQuery({
      nats: server.nats,
      log: pino({ level: 'silent' }),
      subject: SERVER_FOLDERS_SUBJECT,
      query: serverFoldersQuery,
      answer: ({ path }): ServerFolders => {
        asked.push(path);
        return path === '/etc' ? { refused: 'the server shows no such folder' } : listing;
      },
    });
    await server.nats.flush();
    expect(await server.call('GET', '/server-folders')).toMatchObject({ status: 200, body: listing });
    expect(await server.call('GET', '/server-folders?path=%2Fetc')).toMatchObject({
      status: 400,
      body: { type: '/docs/problems#catalog.path-unusable', detail: expect.stringContaining('no such folder') },
    });
    expect(await server.call('GET', '/server-folders', { token: testAccounts.listener.token })).toMatchObject({ status: 403 });
    expect(asked).toEqual([null, '/etc']);
    await answering.stop();
  });
});

describe('the connection of a request', () => {
  let world: PageWorld;
  beforeAll(async () => {
    world = await PageWorld.start({ settings: { TRUSTED_PROXIES: ['10.0.0.1'] } });
  });
  afterAll(() => world.stop());

  it.each([
    ['nobody', '192.0.2.7', {}, { proxy: 'none', clientAddress: '192.0.2.7', baseUrl: 'http://localhost:80' }],
    [
      'a proxy that is believed',
      '10.0.0.1',
      { 'x-forwarded-for': '198.51.100.4', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'music.example' },
      { proxy: 'trusted', clientAddress: '198.51.100.4', baseUrl: 'https://music.example' },
    ],
    [
      'one that is not',
      '192.0.2.7',
      { 'x-forwarded-for': '198.51.100.4', 'x-forwarded-proto': 'https' },
      { proxy: 'ignored', clientAddress: '192.0.2.7', baseUrl: 'http://localhost:80' },
    ],
  ])('tells what comes through %s', async (_name, remoteAddress, headers, expected) => {
    const ada = await world.signedIn('ada');
    const { token } = JSON.parse((await ada.post('/account/token')).body) as { token: string };
    const answer = await world.gateway.app.inject({
      url: '/manage/v1/connection',
      remoteAddress,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    expect(answer.json()).toEqual({ publicUrl: null, ...expected });
  });
});
