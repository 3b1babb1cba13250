import { generateFiles } from '@continuo/bench';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';
import { TraceCollector, type CollectedSpan } from './trace-collector.js';

const LIMIT_MS = 60_000;
const bearer = { authorization: `Bearer ${administrator.apiKey}` };

let journey: Journey;
let collector: TraceCollector;

beforeAll(async () => {
  [journey, collector] = await Promise.all([Journey.prepare(), TraceCollector.start()]);
  await generateFiles({ out: journey.music, count: 20, formats: ['flac', 'mp3'], seed: 4, flat: false });
  await journey.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, TRUSTED_PROXIES: '' });
  await journey.scan();
});
afterAll(async () => {
  await journey.end();
  await collector.stop();
});

const native = (action: string, id: string, query: Record<string, string> = {}): Promise<Response> =>
  journey.request('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers: { ...bearer, 'x-request-id': id } });

/** The request's own span, found by the id that the client was told. */
const rootOf = (correlationId: string): CollectedSpan | undefined =>
  collector.spans.find(({ attributes }) => attributes['continuo.correlation_id'] === correlationId);

const traceOf = (correlationId: string): readonly CollectedSpan[] => {
  const root = rootOf(correlationId);
  return root ? collector.trace(root.traceId) : [];
};

/** Paths from each span of a name up to the request, once they are there: exporters send in batches. */
const pathsOf = async (correlationId: string, name: string): Promise<readonly (readonly string[])[]> => {
  const found = (): readonly CollectedSpan[] => traceOf(correlationId).filter((span) => span.name === name);
  const names = (): readonly string[] => traceOf(correlationId).map((span) => `${span.service} ${span.name}`);
  await expect
    .poll(() => names().join(', '), { timeout: LIMIT_MS, interval: 200, message: `spans of ${correlationId}` })
    .toContain(` ${name}`);
  // The request ends last and is exported on its own.
  await expect.poll(() => rootOf(correlationId), { timeout: LIMIT_MS, interval: 200 }).toBeDefined();
  return found().map((span) => collector.pathOf(span));
};

describe('one request is one trace', () => {
  it('from the gateway over the command and the log to the tables', async () => {
    const answer = await native('rate', 'rating-of-a-song', { type: 'song', id: '1', rating: '4' });
    expect(answer.headers.get('x-correlation-id')).toBe('rating-of-a-song');
    expect(await answer.json()).toHaveProperty('success');
    const command = 'cmd.social.rate-object';
    const [path] = await pathsOf('rating-of-a-song', 'project social-annotations');
    expect(path).toEqual([
      'social project social-annotations',
      'social append EV_SOCIAL',
      `social ${command}`,
      `gateway ${command}`,
      'gateway native rate',
    ]);
    expect(rootOf('rating-of-a-song')).toMatchObject({
      parentSpanId: '',
      attributes: { 'http.response.status_code': 200, 'continuo.outcome': 'ok' },
    });
  });

  it('through a job and what it writes', async () => {
    await native('catalog_action', 'scan-by-hand', { catalog: '1', task: 'verify_catalog' });
    const paths = await pathsOf('scan-by-hand', 'jobs.ingest.scan-catalog');
    const [worked] = paths.toSorted((a, b) => b.length - a.length);
    expect(worked?.slice(0, 2)).toEqual(['ingestion jobs.ingest.scan-catalog', 'ingestion jobs.ingest.scan-catalog']);
    expect(worked?.at(-1)).toBe('gateway native catalog_action');
    // The scan tells the log that it has ended, as a part of the job.
    await expect
      .poll(
        () =>
          traceOf('scan-by-hand')
            .filter(({ name }) => name === 'append EV_INGEST')
            .map((span) => collector.pathOf(span))
            .some((path) => path.includes('ingestion jobs.ingest.scan-catalog')),
        { timeout: LIMIT_MS, interval: 200 },
      )
      .toBe(true);
  });

  it('to the worker that converts what is heard', async () => {
    const song = (await (await native('songs', 'list-of-songs', { limit: '1' })).json()) as { song: readonly { id: string }[] };
    const answer = await native('stream', 'stream-of-a-song', { type: 'song', id: song.song[0]?.id ?? '', format: 'opus', bitrate: '64' });
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    const [path] = await pathsOf('stream-of-a-song', 'transcode opus');
    expect(path).toEqual(['transcoding transcode opus', 'transcoding transcode ask', 'gateway native stream']);
  });

  it('which strangers cannot name', async () => {
    const foreign = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { ...bearer, traceparent: foreign, 'x-request-id': 'named-by-a-stranger' };
    await journey.request('/server/json.server.php', { action: 'songs', limit: '1' }, { headers });
    await expect.poll(() => rootOf('named-by-a-stranger'), { timeout: LIMIT_MS, interval: 200 }).toBeDefined();
    expect(rootOf('named-by-a-stranger')).toMatchObject({ parentSpanId: '' });
    expect(collector.trace('0af7651916cd43dd8448eb211c80319c')).toEqual([]);
  });

  it('that holds no secrets and none of the client’s words', async () => {
    await journey.request(
      '/server/json.server.php',
      { action: 'no-such-action', auth: 'a-secret-token' },
      { headers: { 'x-request-id': 'with-a-secret' } },
    );
    await expect.poll(() => rootOf('with-a-secret'), { timeout: LIMIT_MS, interval: 200 }).toBeDefined();
    expect(rootOf('with-a-secret')?.name).toBe('native unknown');
    expect(JSON.stringify(collector.spans)).not.toMatch(/a-secret-token|no-such-action|journey-key/);
  });
});
