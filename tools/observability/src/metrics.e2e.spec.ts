import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { administrator, Journey } from '@continuo/e2e';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { alerts } from './alerts.js';
import { queriedMetrics } from './queried-metrics.js';
import { dashboards } from './dashboards/index.js';
import { metricOf, parseExposition, type ScrapedMetric } from './exposition.js';
import { projectFolder } from './files.js';
import { metricsTable } from './metrics-table.js';
import { within } from './render-dashboard.js';

/** Labels that Prometheus adds by itself, or by its configuration. */
const FROM_PROMETHEUS = new Set(['namespace', 'job', 'instance', 'pod', 'service', 'le']);

/**
 * Metrics without a series after everyday traffic, and the labels that they have when there is one: somebody linked an account, a place elsewhere was asked, an index
 * failed, a job was given up, two writers met, a plug-in was asked, a sound analysed, a connection lost.
 */
const RARE: Readonly<Record<string, readonly string[]>> = {
  continuo_append_conflicts_total: ['aggregate'],
  continuo_outbound_requests_total: ['purpose', 'outcome'],
  continuo_outbound_request_seconds: ['purpose'],
  continuo_plugin_answers_total: ['plugin', 'part', 'outcome'],
  continuo_relay_links: ['to', 'state'],
  continuo_relay_waiting_plays: ['to'],
  continuo_search_index_misses_total: ['index', 'fault'],
  continuo_sonic_songs_total: ['outcome'],
  // Of processes that are looked at one by one.
  up: [],
};

let journey: Journey;
let told: ReadonlyMap<string, ScrapedMetric>;

const headers = { authorization: `Bearer ${administrator.apiKey}` };
const native = (action: string, query: Record<string, string> = {}): Promise<Response> =>
  journey.request('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers });
const compat = (operation: string, query: Record<string, string> = {}): Promise<Response> =>
  journey.request(`/rest/${operation}`, { apiKey: administrator.apiKey, v: '1.16.1', c: 'spec', f: 'json', ...query });
const bytes = async (answer: Promise<Response>): Promise<number> => (await (await answer).arrayBuffer()).byteLength;
const scrape = async (): Promise<ReadonlyMap<string, ScrapedMetric>> => parseExposition(await journey.metrics());

const traffic = async (): Promise<void> => {
  const { song } = (await (await native('songs', { limit: '2' })).json()) as { song: readonly { readonly id: string }[] };
  const id = song[0]?.id ?? '';
  await bytes(native('songs'));
  await bytes(journey.request('/rest/8/json/albums', {}, { headers }));
  for (let round = 0; round < 2; round += 1) {
    await bytes(native('get_art', { type: 'song', id, size: '64x64' }));
    expect(await bytes(native('stream', { type: 'song', id, format: 'mp3', bitrate: '64' }))).toBeGreaterThan(1000);
  }
  expect(await bytes(native('download', { type: 'song', id }))).toBeGreaterThan(1000);
  await bytes(native('rate', { type: 'song', id, rating: '5' }));
  await bytes(native('stats', { type: 'song', filter: 'frequent' }));
  await bytes(native('song', { filter: '999999' }));
  await bytes(compat('search3', { query: 'a' }));
  await bytes(compat('scrobble', { id: `so-${id}` }));
};

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: 30, formats: ['flac', 'mp3'], seed: 9, flat: false });
  await journey.start();
  await journey.scan();
  await traffic();
  // The index is written a moment after the songs.
  await vi.waitFor(async () => {
    told = await scrape();
    if (![...(told.get('continuo_search_index_entries_total')?.labels ?? [])].includes('operation')) throw new Error('the index is empty');
  }, 20_000);
});
afterAll(async () => {
  await journey.end();
});

/** Returns metrics and labels of an expression that no server exposes. */
const faultsOf = (expr: string): string[] =>
  queriedMetrics(within(expr, 'namespace="x"').replaceAll('$__rate_interval', '5m')).flatMap(({ metric: series, labels }) => {
    const metric = metricOf(series, told);
    const rare = RARE[metric?.name ?? series];
    if (!metric && series !== 'up') return [`there is no ${series}`];
    const known = new Set([...(metric?.labels ?? []), ...(rare ?? [])]);
    return [...labels]
      .filter((label) => !known.has(label) && !FROM_PROMETHEUS.has(label))
      .map((label) => `${series} has no label ${label}`);
  });

describe('a server tells', () => {
  it('every metric and label that a dashboard shows', () => {
    const queries = dashboards
      .flatMap(({ rows }) => rows)
      .flatMap(({ panels }) => panels)
      .flatMap((panel) => panel.queries);
    expect(queries.length).toBeGreaterThan(60);
    expect(queries.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
    // A legend names labels of its expression.
    for (const { expr, legend } of queries)
      for (const [, label = ''] of legend.matchAll(/\{\{(\w+)\}\}/g)) expect([legend, expr.includes(label)]).toEqual([legend, true]);
  });

  it('every metric and label that an alert asks for', () => {
    expect(alerts.flatMap(({ expr }) => faultsOf(expr))).toEqual([]);
  });

  it('what the handbook lists, and nothing else', async () => {
    const handbook = await readFile(join(projectFolder, 'docs/operate/observability.md'), 'utf8');
    const listed = new Set([...handbook.matchAll(/^\| `(continuo_\w+)` /gm)].map(([, name = '']) => name));
    const own = [...told.keys()].filter((name) => name.startsWith('continuo_')).toSorted();
    expect([...listed].toSorted()).toEqual(own);
    // The words, too.
    for (const row of metricsTable(told)) expect(handbook).toContain(row.split(' | ').at(-1));
  });

  it('names that say their unit', () => {
    for (const { name, type } of told.values()) {
      if (!name.startsWith('continuo_')) continue;
      const hasUnit = type !== 'histogram' || /_seconds$|_bytes$/.test(name);
      expect([name, name.endsWith('_total'), hasUnit]).toEqual([name, type === 'counter', true]);
    }
  });

  it('no client’s words, and a bounded number of series', async () => {
    const text = await journey.metrics();
    const before = text.split('\n').length;
    for (let n = 0; n < 200; n += 1) {
      await bytes(native(`made-up-${n}`, { client: `client-${n}` }));
      await bytes(compat(`madeUp${n}`, { c: `client-${n}` }));
    }
    const after = await journey.metrics();
    expect(after).not.toMatch(/made-?up|client-\d/i);
    expect(after.split('\n').length).toBeLessThan(before + 60);
  });
});
