import { setTimeout as delay } from 'node:timers/promises';
import { testMeilisearch, type TestMeilisearch } from '@continuo/local-servers/meilisearch';
import { sql } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { behindGateways, type Cluster } from '../cluster/cluster.js';
import { administrator } from '../http/api-client.js';
import { RequestLoop } from '../http/request-loop.js';
import { until } from '../until.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const AWAY_MS = 6000;
const INDEXED_MS = 120_000;
const ANSWER_MS = 10_000;
const SONGS = 'continuo_song';

/** Meilisearch dies, every second time with all that it had; people search on. */
export const meilisearchDies = async (options: RowOptions): Promise<RowReport> => {
  const meilisearch = await testMeilisearch();
  try {
    return await underLoad(options, {
      row: 'meilisearch',
      cluster: {
        services: ['gateway-1', 'library-1', 'library-2', ...behindGateways],
        settings: { ...administrator, MEILI_URL: meilisearch.url, MEILI_KEY: meilisearch.key, SEARCH_INDEX_UPKEEP_MS: '300' },
      },
      fault: async (scene) => {
        const gateway = scene.cluster.gatewayUrl('gateway-1');
        const asker = new RequestLoop(() => ({ gateway, operation: 'search3', query: { query: 'take', songCount: '5' } }));
        await until('something is indexed', INDEXED_MS, async () => ((await meilisearch.documentsIn(SONGS)) ?? 0) > 0);
        asker.start();
        for (let round = 1; round <= scene.rounds; round += 1) await dies(scene, meilisearch, round);
        const outcome = await asker.stop();
        return { faults: scene.rounds, findings: judge(outcome), figures: { searches: outcome } };
      },
      afterwards: (cluster) => indexedAll(cluster, meilisearch),
    });
  } finally {
    await meilisearch.stop();
  }
};

const dies = async ({ load, say }: Scene, meilisearch: TestMeilisearch, round: number): Promise<void> => {
  await meilisearch.down();
  const isEmptied = round % 2 === 0;
  if (isEmptied) await meilisearch.loseEverything();
  say(isEmptied ? 'Meilisearch is gone with all that it had' : 'Meilisearch is gone');
  await load.more(5, INDEXED_MS);
  await delay(AWAY_MS);
  await meilisearch.up();
  await delay(AWAY_MS / 2);
};

const judge = ({ asked, reasons, longestMs }: Awaited<ReturnType<RequestLoop['stop']>>): Finding[] => [
  noneOf(
    'searches that were not answered',
    Object.entries(reasons).map(([why, times]) => `${why} ×${times}`),
    `none of ${asked}`,
  ),
  noneOf('searches that took long', longestMs > ANSWER_MS ? [`${longestMs} ms`] : [], `longest ${longestMs} ms`),
];

/** The index goes on from its own checkpoint, or is filled anew. */
const indexedAll = async ({ db }: Cluster, meilisearch: TestMeilisearch): Promise<Finding[]> => {
  const { rows } = await sql<{ songs: number }>`select count(*)::int as songs from library.song`.execute(db);
  const songs = rows[0]?.songs ?? 0;
  const indexed = async (): Promise<number> => (await meilisearch.documentsIn(SONGS)) ?? 0;
  await until('every song is indexed', INDEXED_MS, async () => (await indexed()) === songs).catch(() => undefined);
  // An index that has no settings yet, a moment before it is exchanged for a full one, refuses the filter of a search; Postgres answers then.
  const refused = (await meilisearch.refused()).filter((refusal) => !refusal.includes('is not filterable'));
  return [equal('songs in the search index = songs', await indexed(), songs), noneOf('requests that Meilisearch would refuse', refused)];
};
