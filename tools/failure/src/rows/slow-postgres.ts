import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { noneOf, type Finding } from '../checks/finding.js';
import { behindGateways, type Addresses, type Settings } from '../cluster/cluster.js';
import { administrator } from '../http/api-client.js';
import { RequestLoop, type RequestLoopOutcome } from '../http/request-loop.js';
import { TcpProxy } from '../net/tcp-proxy.js';
import { until } from '../until.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const BEHIND = ['gateway-1', 'library-1', 'library-2'] as const;
const READERS = 20;
const SLOW_MS = 30;
const SLOW_FOR_MS = 8000;
const HANGS_FOR_MS = 35_000;
/** Nobody may wait longer, whatever the database does. */
const ANSWER_MS = 40_000;
const RECOVERED_MS = 60_000;
/** Allowed memory growth of a gateway while requests wait, bytes. */
const MORE_MEMORY = 256 * 1024 * 1024;
const KIB = 1024;

/** Postgres is slow, then hangs, then is back; readers ask on, writers write on. */
export const slowPostgres = (options: RowOptions): Promise<RowReport> => {
  const proxies: TcpProxy[] = [];
  return underLoad(options, {
    row: 'slow-postgres',
    cluster: {
      services: ['gateway-1', 'library-1', 'library-2', ...behindGateways],
      settings: administrator,
      detour: (addresses, onEnd) => throughProxies(addresses, proxies, onEnd),
    },
    fault: async (scene) => {
      const gateway = scene.cluster.gatewayUrl('gateway-1');
      const asker = new RequestLoop(() => ({ gateway, operation: 'getRandomSongs', query: { size: '10' } })).start(READERS);
      try {
        await until('readers are answered', RECOVERED_MS, () => Promise.resolve(asker.good > READERS));
        const findings: Finding[] = [];
        const figures: unknown[] = [];
        for (let round = 1; round <= scene.rounds; round += 1) {
          const { found, told } = await slowThenHung(scene, proxies, asker);
          findings.push(...found);
          figures.push(told);
        }
        return { faults: scene.rounds, findings, figures: { rounds: figures } };
      } finally {
        await asker.stop();
      }
    },
  });
};

const throughProxies = async (
  { DATABASE_URL }: Addresses,
  proxies: TcpProxy[],
  onEnd: (end: () => Promise<void>) => void,
): Promise<Partial<Record<(typeof BEHIND)[number], Settings>>> => {
  const { hostname, port } = new URL(DATABASE_URL);
  const proxy = await TcpProxy.start({ host: hostname, port: Number(port) });
  proxies.push(proxy);
  onEnd(() => proxy.stop());
  const through = new URL(DATABASE_URL);
  through.port = String(proxy.port);
  return Object.fromEntries(BEHIND.map((name) => [name, { DATABASE_URL: through.href }]));
};

const slowThenHung = async (
  { cluster, load, say }: Scene,
  [proxy]: readonly TcpProxy[],
  asker: RequestLoop,
): Promise<{ found: Finding[]; told: unknown }> => {
  if (!proxy) throw new Error('there is no proxy');
  asker.reset();
  proxy.latencyMs = SLOW_MS;
  await delay(SLOW_FOR_MS);
  const slow = asker.outcome;
  proxy.latencyMs = 0;
  say(`slow: ${slow.good} of ${slow.asked} answered, longest ${slow.longestMs} ms`);
  const before = await memoryOf(cluster.part('gateway-1').pid);
  asker.reset();
  proxy.hang();
  await delay(HANGS_FOR_MS);
  const after = await memoryOf(cluster.part('gateway-1').pid);
  const hung = asker.outcome;
  proxy.resume();
  const backAt = performance.now();
  asker.reset();
  await until('readers are answered again', RECOVERED_MS, () => Promise.resolve(asker.good > READERS));
  await load.more(5, RECOVERED_MS);
  const recoveredMs = Math.round(performance.now() - backAt);
  say(`hung: ${hung.asked} answers, longest ${hung.longestMs} ms, ${JSON.stringify(hung.reasons)}; back after ${recoveredMs} ms`);
  return { found: judge(slow, hung, after - before), told: { slow, hung, recoveredMs, moreMib: Math.round((after - before) / KIB / KIB) } };
};

const judge = (slow: RequestLoopOutcome, hung: RequestLoopOutcome, moreBytes: number): Finding[] => [
  noneOf(
    'answers that were not good while Postgres was slow',
    Object.entries(slow.reasons).map(([why, times]) => `${why} ×${times}`),
    `none of ${slow.asked}`,
  ),
  noneOf(
    'readers who waited without end',
    hung.asked === 0 ? ['nobody was answered'] : hung.longestMs > ANSWER_MS ? [`${hung.longestMs} ms`] : [],
    `longest ${hung.longestMs} ms`,
  ),
  noneOf(
    'answers that do not say what is the matter',
    Object.keys(hung.reasons).filter((why) => why.startsWith('no answer') || /unexpected/.test(why)),
  ),
  noneOf(
    'memory that piled up',
    moreBytes > MORE_MEMORY ? [`${Math.round(moreBytes / KIB / KIB)} MiB`] : [],
    `${Math.round(moreBytes / KIB / KIB)} MiB more`,
  ),
];

const memoryOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * KIB;
};
