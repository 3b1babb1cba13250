import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateNats, locateNewerNats } from '@continuo/local-servers';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Cluster } from '../cluster/cluster.js';
import { threeLocalHosts } from '../cluster/nats-nodes.js';
import { NATS_NODES, sameEverywhere, untilCurrent } from './nats-of-three.js';
import { rowFailures, rowLines } from './print-table.js';
import { underLoad } from './under-load.js';

const BACK_MS = 30_000;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-nats-upgrade-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const versionsOf = ({ addresses: { NATS_URL, NATS_USER: user, NATS_PASSWORD: pass } }: Cluster): Promise<(string | undefined)[]> =>
  Promise.all(
    NATS_URL.split(',').map(async (servers) => {
      const nats = await connect({ servers, user, pass, waitOnFirstConnect: true });
      const { info } = nats;
      await nats.close();
      return info?.version;
    }),
  );

it('three servers are replaced by newer ones, one after the other, under writers', async () => {
  const [older, newer] = [await locateNats(), await locateNewerNats()];
  const [first, second, third] = threeLocalHosts.map((host) => ({ ...host, program: older.path }));
  if (!first || !second || !third) throw new Error('there are three hosts');
  const natsHosts = [first, second, third] as const;
  const versions: unknown[] = [];
  const report = await underLoad(
    { home, seed: 7, rounds: natsHosts.length },
    {
      row: 'nats-upgrade',
      cluster: { services: ['library-1', 'library-2', 'playback-1', 'playback-2'], natsHosts },
      fault: async ({ cluster, load }) => {
        versions.push(...new Set(await versionsOf(cluster)));
        for (const [at, name] of NATS_NODES.entries()) {
          await untilCurrent(cluster);
          await cluster.part(name).stop();
          Object.assign(natsHosts[at] ?? {}, { program: newer.path });
          await load.more(5, BACK_MS);
          await cluster.part(name).revive();
          await load.more(5, BACK_MS);
        }
        await untilCurrent(cluster);
        versions.push(...new Set(await versionsOf(cluster)));
        return { faults: natsHosts.length, figures: { versions } };
      },
      afterwards: sameEverywhere,
    },
  );
  process.stdout.write(`${rowLines(report).join('\n')}\n`);
  expect(versions).toEqual([older.version, newer.version]);
  expect(rowFailures(report)).toEqual([]);
  expect([report.lost, report.doubled, report.selfExits]).toEqual([0, 0, []]);
  expect(report.gapMs).toBeLessThan(BACK_MS);
});
