import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';
import { TraceCollector, type CollectedSpan } from './trace-collector.js';

const SOON = { timeout: 60_000, interval: 200 };
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
  await vi.waitFor(() => expect(names().join(', '), `spans of ${correlationId}`).toContain(` ${name}`), SOON);
  // The request ends last and is exported on its own.
  await vi.waitFor(() => expect(rootOf(correlationId)).toBeDefined(), SOON);
  return found().map((span) => collector.pathOf(span));
};

// Exporters send every five seconds: all wait for the same batch. `expect.poll` knows no test where several run at once.
describe.concurrent('one request is one trace', () => {
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
    await vi.waitFor(async () => {
      const paths = await pathsOf('scan-by-hand', 'jobs.ingest.scan-catalog');
      const [worked] = paths.toSorted((a, b) => b.length - a.length);
      expect(worked?.slice(0, 2)).toEqual(['ingestion jobs.ingest.scan-catalog', 'ingestion jobs.ingest.scan-catalog']);
      expect(worked?.at(-1)).toBe('gateway native catalog_action');
    }, SOON);
    // The scan tells the log that it has ended, as a part of the job.
    await vi.waitFor(() => {
      const appends = traceOf('scan-by-hand').filter(({ name }) => name === 'append EV_INGEST');
      expect(appends.flatMap((span) => collector.pathOf(span))).toContain('ingestion jobs.ingest.scan-catalog');
    }, SOON);
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
    await vi.waitFor(() => expect(rootOf('named-by-a-stranger')).toBeDefined(), SOON);
    expect(rootOf('named-by-a-stranger')).toMatchObject({ parentSpanId: '' });
    expect(collector.trace('0af7651916cd43dd8448eb211c80319c')).toEqual([]);
  });

  it('that holds no secrets and none of the client’s words', async () => {
    await journey.request(
      '/server/json.server.php',
      { action: 'no-such-action', auth: 'a-secret-token' },
      { headers: { 'x-request-id': 'with-a-secret' } },
    );
    await vi.waitFor(() => expect(rootOf('with-a-secret')).toBeDefined(), SOON);
    expect(rootOf('with-a-secret')?.name).toBe('native unknown');
    expect(JSON.stringify(collector.spans)).not.toMatch(/a-secret-token|no-such-action|journey-key/);
  });
});
