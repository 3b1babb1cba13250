import { createMetrics } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operationNames } from '../../apis/compat/registry/names.js';
import { actionNames } from '../../apis/native/registry/index.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const auth = testAccounts.admin.token;
const JSON_URL = '/server/json.server.php';

let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
});
beforeEach(async () => {
  gateway = await startTestGateway(model.read, { metrics: createMetrics('gateway') });
  return () => gateway.stop();
});
afterAll(() => model.close());

const ask = (url: string, method: 'GET' | 'POST' | 'DELETE' = 'GET') => gateway.app.inject({ method, url });

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const samplesOf = async (name: string): Promise<readonly Sample[]> => {
  const { values } = (await gateway.services.metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values as readonly Sample[];
};
const requests = async (): Promise<string[]> =>
  (await samplesOf('continuo_http_requests_total')).map(
    ({ labels: { surface, operation, outcome }, value }) => `${surface} ${operation} ${outcome} ${value}`,
  );

describe('requests are counted by operation', () => {
  it('by the action of the native API, in the form with parameters and as REST', async () => {
    await ask(`${JSON_URL}?action=songs&auth=${auth}`);
    await ask(`/server/xml.server.php?action=songs&auth=${auth}`);
    await ask(`/rest/8/json/songs?auth=${auth}`);
    // Another spelling of an action is that action.
    await ask(`${JSON_URL}?action=preferences&auth=${auth}`);
    expect(await requests()).toEqual(
      expect.arrayContaining(['native songs ok 2', 'rest songs ok 1', expect.stringMatching(/^native user_preferences /)]),
    );
    expect((await samplesOf('continuo_native_calls_total')).map(({ labels, value }) => [labels['format'], value])).toEqual(
      expect.arrayContaining([['xml', 1]]),
    );
  });

  it('by the operation of the compatibility API, however it is spelled', async () => {
    for (const name of ['ping', 'PING', 'ping.view']) await ask(`/rest/${name}?u=a&p=b&c=spec&v=1.16.1&f=json`);
    await ask('/rest/getopensubsonicextensions');
    const counted = await requests();
    expect(counted.filter((line) => line.startsWith('compat ping '))).toHaveLength(1);
    expect(counted).toContain('compat getOpenSubsonicExtensions ok 1');
  });

  it('tells refusals, which have status 200, from answers, and faults from both', async () => {
    await ask(`${JSON_URL}?action=song&filter=9999&auth=${auth}`);
    await ask(`${JSON_URL}?action=songs&auth=wrong`);
    // Nobody takes commands here.
    await ask(`${JSON_URL}?action=rate&type=song&id=1&rating=5&auth=${auth}`);
    await ask('/rest/getSong?id=1&u=nobody&p=wrong&c=spec');
    expect(await requests()).toEqual(
      expect.arrayContaining(['native song refused 1', 'native songs refused 1', 'native rate failed 1', 'compat getSong refused 1']),
    );
    expect(await samplesOf('continuo_http_responses_total')).toContainEqual(
      expect.objectContaining({ labels: { surface: 'native', status: '200' }, value: 3 }),
    );
  });

  it('counts an unexpected error', async () => {
    const metrics = createMetrics('gateway');
    const broken = await startTestGateway(model.read, {
      metrics,
      auth: { ...gateway.services.auth, authenticateNative: () => Promise.reject(new Error('a fault of ours')) },
    });
    await broken.app.inject(`${JSON_URL}?action=songs&auth=${auth}`);
    await broken.stop();
    expect(await metrics.registry.metrics()).toMatch(/continuo_http_requests_total\{[^}]*operation="songs",outcome="failed"[^}]*\} 1/);
    expect(new Rejection('internal').code).toBe('internal');
  });
});

describe('labels', () => {
  const surfaces = new Set(['native', 'rest', 'compat', 'manage', 'media', 'hls', 'share', 'events', 'page', 'status', 'none']);

  it('never hold a client’s words', async () => {
    const words = Array.from({ length: 40 }, (_, n) => `own-word-${n}`);
    for (const word of words) {
      await ask(`${JSON_URL}?action=${word}&auth=${auth}`);
      await ask(`${JSON_URL}?action=songs&version=${word}&auth=${auth}`);
      await ask(`/rest/8/json/${word}?auth=${auth}`);
      await ask(`/rest/${word}/json/songs`);
      await ask(`/rest/8/${word}/songs`);
      await ask(`/rest/${word}`);
      await ask(`/play/${word}/1`);
      await ask(`/rest/hls/${word}/${word}`);
      await ask(`/share.php/${word}`);
      await ask(`/account/${word}`);
      await ask(`/${word}`);
      await ask(`/manage/v1/access-list/${word}`, 'DELETE');
      await ask(`${JSON_URL}?action=constructor`);
      await ask('/rest/__proto__');
    }
    const text = await gateway.services.metrics.registry.metrics();
    expect(text).not.toContain('own-word');
    expect(text).not.toMatch(/constructor|__proto__/);
    expect(await requests()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^native unknown refused \d+$/),
        expect.stringMatching(/^compat unknown refused \d+$/),
      ]),
    );
  });

  it('are few: one operation each of the tables, and a handful of routes', async () => {
    for (const action of actionNames) await ask(`${JSON_URL}?action=${action}&auth=nobody`);
    for (const action of actionNames) await ask(`/rest/8/json/${action}?auth=nobody`);
    for (const operation of operationNames) await ask(`/rest/${operation}?u=nobody&p=x&c=spec`);
    const counted = await samplesOf('continuo_http_requests_total');
    expect(counted.every(({ labels }) => surfaces.has(String(labels['surface'])))).toBe(true);
    const operations = new Set(counted.map(({ labels }) => `${labels['surface']} ${labels['operation']}`));
    expect(operations.size).toBeGreaterThan(actionNames.length + operationNames.length - 10);
    expect(operations.size).toBeLessThanOrEqual(2 * actionNames.length + operationNames.length + 2);
  });
});

describe('times', () => {
  it('of documents and of media are told apart, with the bytes of the media', async () => {
    await ask(`${JSON_URL}?action=songs&auth=${auth}`);
    await ask(`/image.php?object_type=album&object_id=1&auth=${auth}`);
    const count = async (name: string, operation: string): Promise<number> =>
      (await samplesOf(name)).find(
        ({ labels, ...sample }) => labels['operation'] === operation && 'metricName' in sample && sample.metricName === `${name}_count`,
      )?.value ?? 0;
    expect(await count('continuo_http_request_seconds', 'songs')).toBe(1);
    expect(await count('continuo_http_stream_seconds', 'songs')).toBe(0);
    expect(await count('continuo_http_first_byte_seconds', 'art')).toBe(1);
    expect(await count('continuo_http_stream_seconds', 'art')).toBe(1);
    expect(await count('continuo_http_request_seconds', 'art')).toBe(0);
    const [sentOfArt] = await samplesOf('continuo_http_sent_bytes_total');
    expect(sentOfArt).toMatchObject({ labels: { surface: 'media', operation: 'art' } });
    expect(sentOfArt?.value).toBeGreaterThan(100);
    expect((await samplesOf('continuo_http_requests_in_flight'))[0]?.value).toBe(0);
  });

  it('of a client that goes away are those of an aborted request', async () => {
    const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
    const leave = new AbortController();
    const answer = await fetch(`${url}/events?auth=${auth}`, { headers: { authorization: `Bearer ${auth}` }, signal: leave.signal });
    expect(answer.status).toBe(200);
    leave.abort();
    await expect.poll(requests, { timeout: 15_000 }).toContain('events stream aborted 1');
  });
});
