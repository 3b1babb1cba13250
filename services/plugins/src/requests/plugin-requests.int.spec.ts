import { checkedOutboundClient, migrate, openDatabase, parseRanges } from '@continuo/chassis';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PluginManifest } from '../host/thread-messages.js';
import { FakeService } from '../../test/fake-service.js';
import { PluginRequests } from './plugin-requests.js';
import { pluginMigrations, PostgresAnswerCache, PostgresRateLimiter } from './postgres-answer-cache.adapter.js';

let postgres: TestPostgres;
let db: Kysely<unknown>;
let service: FakeService;
let nowMs = 1_000_000;
const outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.0/8']) });
const warnings: string[] = [];

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase({ url: (await postgres.createDatabase()).url, poolSize: 6, applicationName: 'spec' });
  await migrate(db, 'spec', pluginMigrations);
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  await outbound.close();
});
beforeEach(async () => {
  service = await FakeService.start();
  service.answer = () => ({ json: { n: service.asked.length } });
  await sql`truncate spec.plugin_answer, spec.plugin_pace`.execute(db);
});
afterEach(() => service.stop());

const manifest = (everyMs = 0): PluginManifest => ({
  apiVersion: 1,
  name: 'asker',
  title: 'Asker',
  version: '1',
  sends: 'Numbers.',
  hosts: ['127.0.0.1'],
  pace: { everyMs },
});
const requests = (timeoutMs = 5000): PluginRequests =>
  new PluginRequests({
    outbound,
    memory: new PostgresAnswerCache(db, 'spec'),
    pace: new PostgresRateLimiter(db, 'spec'),
    userAgent: 'continuo/1 ( who@example.org )',
    timeoutMs,
    now: () => nowMs,
    warn: (_, text) => warnings.push(text),
  });
const fetch = async (from: PluginRequests, path = '/', more: object = {}, about = manifest()) => {
  const { status, body } = await from.fetch(about, { url: service.url + path, keepMs: 1000, ...more }, {}, () => undefined);
  return { status, n: (JSON.parse(new TextDecoder().decode(body)) as { n?: number }).n };
};

describe('requests of plug-ins', () => {
  it('are cached for all replicas, and sent again when they expire', async () => {
    expect(await fetch(requests())).toEqual({ status: 200, n: 1 });
    expect(await fetch(requests())).toEqual({ status: 200, n: 1 });
    expect(service.asked[0]?.headers['user-agent']).toBe('continuo/1 ( who@example.org )');
    nowMs += 1001;
    expect(await fetch(requests())).toEqual({ status: 200, n: 2 });
    expect(await fetch(requests(), '/', { keepMs: undefined })).toEqual({ status: 200, n: 3 });
  });

  it('store no address that may hold a key', async () => {
    await fetch(requests(), '/?api_key=very-secret');
    const { rows } = await sql<{ text: string }>`select a::text as text from spec.plugin_answer a`.execute(db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain('very-secret');
  });

  it.each([
    ['is busy', () => ({ status: 503, text: '{}' })],
    ['does not answer', () => Promise.withResolvers<never>().promise],
  ])('are answered from memory while a service %s, however old', async (_, answer) => {
    await fetch(requests());
    nowMs += 10_000;
    service.answer = answer;
    expect(await fetch(requests(500))).toEqual({ status: 200, n: 1 });
  });

  it('cache empty answers for a day at most, and no errors', async () => {
    service.answer = () => ({ status: 404, json: {} });
    const long = { keepMs: 30 * 86_400_000 };
    await fetch(requests(), '/', long);
    await fetch(requests(), '/', long);
    expect(service.asked).toHaveLength(1);
    nowMs += 86_400_001;
    service.answer = () => ({ status: 500, json: {} });
    await fetch(requests(), '/', long);
    await fetch(requests(), '/other', long);
    await fetch(requests(), '/other', long);
    expect(service.asked).toHaveLength(4);
  });

  it('are rate limited over all replicas', async () => {
    const startedAtMs = performance.now();
    const [one, other] = [requests(), requests()];
    await Promise.all([1, 2, 3, 4].map((n) => fetch(n % 2 === 0 ? one : other, `/${n}`, {}, manifest(150))));
    expect(performance.now() - startedAtMs).toBeGreaterThan(440);
    expect(service.asked).toHaveLength(4);
  });

  it('are rejected at once when they would wait too long', async () => {
    const all = await Promise.allSettled([1, 2, 3, 4].map((n) => fetch(requests(1000), `/${n}`, {}, manifest(400))));
    expect(all.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  });

  it('obey Retry-After', async () => {
    service.answer = () => ({ status: 429, json: {}, headers: { 'retry-after': '30' } });
    await fetch(requests());
    await expect(fetch(requests(), '/other')).rejects.toThrow(/as often as it may/);
    expect(service.asked).toHaveLength(1);
  });

  it('go only to the hosts of the plug-in', async () => {
    const elsewhere = { ...manifest(), hosts: ['*.example.org'] };
    await expect(fetch(requests(), '/', {}, elsewhere)).rejects.toThrow('127.0.0.1 is none of its hosts');
    expect(service.asked).toEqual([]);
  });

  it('are deleted from the cache when they are too old', async () => {
    await fetch(requests());
    await new PostgresAnswerCache(db, 'spec').tidy(nowMs + 40 * 86_400_000);
    expect((await sql`select 1 from spec.plugin_answer`.execute(db)).rows).toEqual([]);
  });
});
