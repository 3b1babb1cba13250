import { NAME } from '../names.mjs';
import { connect, continuo, ours, pods, untilReady } from '../release.mjs';
import { until } from '../shell.mjs';

const WAIT = { limitMs: 300_000 };
const COUNT_SEARCHES = `
const text = await (await fetch('http://127.0.0.1:9090/metrics')).text();
console.log(/^continuo_search_seconds_count\\{[^}]*index="meilisearch"[^}]*\\} (\\d+)$/m.exec(text)?.[1] ?? 0);
`;

/** Searches that Meilisearch has answered, over all gateways. */
const answered = async () => {
  let sum = 0;
  for (const { metadata } of await pods('gateway'))
    sum += Number(await ours('exec', metadata.name, '--', 'node', '--input-type=module', '-e', COUNT_SEARCHES));
  return sum;
};

/** Waits until a word with a typing mistake is found, and Meilisearch is who finds it. */
const untilMeilisearchFinds = async (client) => {
  const startedAt = Date.now();
  await until(
    'Meilisearch answers a search',
    async () => {
      const before = await answered();
      const { searchResult3 } = await client.compat('search3', { query: 'atrist', artistCount: '5' });
      return searchResult3.artist?.length > 0 && (await answered()) > before;
    },
    WAIT,
  );
  return (Date.now() - startedAt) / 1000;
};

/** Meilisearch of the chart answers; with an empty volume it is filled again, and Postgres answers meanwhile. */
export const searchProof = {
  name: 'search',
  run: async () => {
    const client = await connect();
    const firstSeconds = await untilMeilisearchFinds(client);
    const claim = `data-${NAME}-meilisearch-0`;
    await ours('delete', 'persistentvolumeclaim', claim, '--wait=false');
    await ours('delete', 'pod', `${NAME}-meilisearch-0`);
    const { searchResult3 } = await client.compat('search3', { query: 'atrist', artistCount: '5' });
    await untilReady();
    return {
      firstSeconds,
      foundMeanwhile: searchResult3.artist?.length ?? 0,
      emptiedSeconds: await untilMeilisearchFinds(client),
      status: await continuo('search', 'status'),
    };
  },
};
