import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService, type Environment, type StartedService } from '@continuo/chassis';
import { recordPlays, songId, userId } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { playbackService } from '@continuo/playback';
import { socialService } from '@continuo/social';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../../test/index.js';

/** Of this machine, but not where everything else listens, so that it can be allowed alone. */
const HOST = '127.0.0.4';
const WAIT = { timeout: 30_000, interval: 50 };
let nats: TestNats;
let postgres: TestPostgres;
let env: Environment;
let services: StartedService[] = [];
let gateway: SpecGateway;
let server: Server;
let status = 200;
let told: string[] = [];
const run = (...args: string[]) => runCli(env, 'relay', ...args);

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await bodyOf(request);
      const isQuestion = request.url === '/1/validate-token';
      const valid = request.headers.authorization === 'Token good';
      if (!isQuestion && status === 200) told = [...told, body];
      response
        .writeHead(isQuestion ? 200 : status)
        .end(JSON.stringify(isQuestion ? { valid, user_name: 'ada' } : status === 200 ? { status: 'ok' } : { error: 'not like that' }));
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = {
    CONTINUO_SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOWED_NETWORKS: HOST,
    LISTENBRAINZ_API_URL: urlOf(),
    RELAY_FIRST_RETRY_MS: '50',
  };
  services = [await startService(socialService, { ...env, ...settings }), await startService(playbackService, { ...env, ...settings })];
  gateway = await startGateway({ ...env, ...settings });
  env = { ...env, ...gateway.env };
  const db = services[0]?.deps.db;
  if (!db) throw new Error('nothing runs');
  const doc = {
    id: 1,
    title: 'One',
    artists: [{ name: 'Ada' }],
    albumArtists: [],
    album: { name: 'A' },
    disk: 1,
    track: 1,
    durationMs: 60_000,
  };
  await sql`create schema if not exists library`.execute(db);
  await sql`create table library.song (id integer, doc text)`.execute(db);
  await sql`create table library.deleted_song (song_id integer)`.execute(db);
  await sql`create table library.counter (kind text, catalog_id integer, max_id integer)`.execute(db);
  await sql`insert into library.song values (1, ${JSON.stringify(doc)})`.execute(db);
});
afterAll(async () => {
  await gateway.stop();
  for (const service of services.toReversed()) await service.stop();
  server.closeAllConnections();
  server.close();
  await Promise.all([nats.stop(), postgres.stop()]);
});

const urlOf = (): string => `http://${HOST}:${(server.address() as AddressInfo).port}`;
const play = (playedAtMs: number): Promise<unknown> => {
  const data = { userId: userId.parse(1), client: 'spec', plays: [{ songId: songId.parse(1), playedAtMs }] };
  const context = { actor: 'user:1', correlationId: 'c', causationId: 'c' };
  return services[1]?.deps.commands.send(recordPlays, data, context) ?? Promise.reject(new Error('nothing runs'));
};

describe('continuo relay', () => {
  it('links an account that the service knows, and shows how it goes', async () => {
    expect((await run('list')).out).toBe('No account is linked with a service.');
    expect(await run('link', 'admin', '--token', 'bad')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('does not know this token'),
    });
    expect((await run('link', 'admin', '--token', 'good')).out).toBe('admin is linked, as ada there.');
    expect((await run('list')).out).toMatch(/admin +listenbrainz +127\.0\.0\.4:\d+ +on +0/);
    await play(Date.now() + 1000);
    await vi.waitFor(() => expect(told).toHaveLength(1), WAIT);
    await vi.waitFor(async () => expect((await run('list')).out).toMatch(/ on +1 +20\d\d-/), WAIT);
    expect((await run('plays', 'admin')).out).toMatch(/listenbrainz +1 +20\S+ +taken/);
    expect((await run('plays', 'nobody')).err).toContain('there is no account "nobody"');
  });

  it('shows what waits, and hurries it', async () => {
    status = 503;
    await play(Date.now() + 2000);
    await vi.waitFor(async () => expect((await run('list')).out).toMatch(/ waiting +1 .* it answered 503/), WAIT);
    status = 200;
    expect((await run('hurry', 'admin', 'listenbrainz')).out).toBe('What admin played is told to listenbrainz now.');
    await vi.waitFor(() => expect(told).toHaveLength(2), WAIT);
  });

  it('shows what was put aside, and tells it again', async () => {
    status = 400;
    await play(Date.now() + 3000);
    await vi.waitFor(
      async () => expect((await run('dead-letters')).out).toMatch(/\d+ +admin +listenbrainz +1 +20\S+ +1 +not like that/),
      WAIT,
    );
    expect((await run('dead-letters', '--user', 'admin')).out).toContain('not like that');
    status = 200;
    expect((await run('replay', '99999')).out).toBe('Nothing to replay.');
    expect((await run('replay')).out).toBe('1 play told again.');
    await vi.waitFor(() => expect(told).toHaveLength(3), WAIT);
    expect((await run('dead-letters')).out).toBe('No play was put aside.');
  });

  it('hurries nothing that the service refuses, and says so', async () => {
    status = 401;
    await play(Date.now() + 4000);
    await vi.waitFor(async () => expect((await run('list')).out).toContain(' refused '), WAIT);
    expect(await run('hurry', 'admin', 'listenbrainz')).toMatchObject({ exitCode: 1, err: expect.stringContaining('linked again') });
    status = 200;
  });

  it('unlinks', async () => {
    expect((await run('unlink', 'admin', 'listenbrainz')).out).toBe('listenbrainz is told nothing more of admin.');
    expect((await run('list')).out).toBe('No account is linked with a service.');
    expect((await run('plays', 'admin')).out).toBe('Nothing was told to anybody lately.');
  });
});
