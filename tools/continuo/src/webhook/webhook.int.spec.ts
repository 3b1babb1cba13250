import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService, type Environment, type StartedService } from '@continuo/chassis';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { rateObject, userId } from '@continuo/contracts';
import { socialService } from '@continuo/social';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli, startGateway, type SpecGateway } from '../../test/index.js';

/** Of this machine, but not where everything else listens, so that it can be allowed alone. */
const HOST = '127.0.0.2';
const WAIT = { timeout: 30_000, interval: 50 };
let nats: TestNats;
let postgres: TestPostgres;
let env: Environment;
let social: StartedService;
let gateway: SpecGateway;
let receiver: Server;
let status = 200;
let received = 0;
const run = (...args: string[]) => runCli(env, 'webhook', ...args);

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, HOST, resolve));
  const servers = { DATABASE_URL: postgres.url, NATS_URL: nats.url };
  const settings = {
    CONTINUO_SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOWED_NETWORKS: HOST,
    WEBHOOK_ATTEMPTS: '2',
    WEBHOOK_FIRST_RETRY_MS: '20',
  };
  social = await startService(socialService, { ...servers, ...settings });
  gateway = await startGateway({ ...servers, ...settings });
  env = gateway.env;
});
afterAll(async () => {
  await gateway.stop();
  await social.stop();
  receiver.closeAllConnections();
  receiver.close();
  await Promise.all([nats.stop(), postgres.stop()]);
});

const urlOf = (): string => `http://${HOST}:${(receiver.address() as AddressInfo).port}/hook`;
const rate = (objectId: number): Promise<unknown> =>
  social.deps.commands.send(
    rateObject,
    { userId: userId.parse(1), kind: 'genre', objectId, rating: 1 },
    { actor: 'user:1', correlationId: 'c', causationId: 'c' },
  );

describe('continuo webhook', () => {
  it('names what can be told, and refuses the rest', async () => {
    expect((await run('events')).out).toMatch(/play\.recorded +a song was played/);
    expect(await run('add', 'file:///etc/passwd', '--events', '*')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('[input.invalid]'),
    });
    expect((await run('test', '7')).err).toContain('[webhook.not-found]');
  });

  it('adds one, shows its secret once, and tests it', async () => {
    expect((await run('add', urlOf(), '--events', 'rating.*', 'play.recorded', '--user', 'admin', '--name', 'home')).out).toMatch(
      /^Webhook 1 is told of rating\.\*, play\.recorded, as far as admin may see it\.\nIts secret, shown only now: whsec_\S{44}$/,
    );
    expect((await run('list')).out).toMatch(/1 +home +127\.0\.0\.2:\d+ +rating\.\* play\.recorded +admin +on$/);
    expect((await run('test', '1')).out).toMatch(/^127\.0\.0\.2:\d+ answered 200 after \d+ ms\.$/);
    status = 404;
    expect(await run('test', '1')).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(/did not take it .*: the receiver answered 404\.$/),
    });
    await run('add', 'http://127.0.0.1:9000/', '--events', '*');
    expect((await run('test', '2')).out).toContain('address-refused: 127.0.0.1 does not lead to a public address');
    expect((await run('remove', '2')).out).toBe('Webhook 2 is gone.');
  });

  it('shows how deliveries went, and replays what was put aside', async () => {
    status = 500;
    await rate(5);
    await vi.waitFor(
      async () =>
        expect((await run('deliveries', '1')).out).toMatch(/[0-9a-f]{32} +rating\.set +dead +2 +500 +\S+ +- +the receiver answered 500/),
      WAIT,
    );
    status = 200;
    const before = received;
    await vi.waitFor(async () => expect((await run('replay', '1')).out).toBe('1 event told again.'), WAIT);
    await vi.waitFor(() => expect(received).toBe(before + 1), WAIT);
    await vi.waitFor(async () => expect((await run('deliveries', '1')).out).toMatch(/delivered +1 +200/), WAIT);
    expect((await run('replay', '1')).out).toBe('Nothing to replay.');
  });

  it('switches one off and on', async () => {
    expect((await run('disable', '1')).out).toBe('Webhook 1 is told nothing more.');
    expect((await run('list')).out).toMatch(/admin +off$/);
    expect((await run('replay', '1')).err).toContain('[conflict]');
    expect((await run('enable', '1')).out).toBe('Webhook 1 is told again.');
    expect((await run('remove', '1')).out).toBe('Webhook 1 is gone.');
    expect((await run('list')).out).toBe('Id  Name  Host  Events  Sees as  State');
  });
});
