import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Cluster, NatsNodeName } from '../cluster/cluster.js';
import { threeLocalHosts } from '../cluster/nats-nodes.js';
import { until } from '../until.js';
import { noneOf, type Finding } from '../checks/finding.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad } from './under-load.js';

/** The servers of the cluster. */
export const NATS_NODES = ['nats-1', 'nats-2', 'nats-3'] as const satisfies readonly NatsNodeName[];
const WATCHED = ['EV_LIBRARY', 'EV_PLAYBACK'];
const READY_MS = 120_000;
const MAX_DOWN_MS = 4000;

/** One of three NATS servers dies, the leader of the log first, then each of the others, by turns. */
export const natsOfThree = (options: RowOptions): Promise<RowReport> =>
  underLoad(options, {
    row: 'nats-of-three',
    cluster: { services: ['library-1', 'library-2', 'playback-1', 'playback-2'], natsHosts: threeLocalHosts },
    fault: async ({ cluster, load, random, rounds, say }) => {
      const killed: string[] = [];
      let turn: NatsNodeName[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        await untilCurrent(cluster);
        const leader = await leaderOf(cluster, 'EV_LIBRARY');
        if (turn.length === 0) turn = [leader, ...random.shuffled(NATS_NODES.filter((name) => name !== leader))];
        const name = turn.shift() as NatsNodeName;
        await cluster.part(name).kill();
        killed.push(name === leader ? `${name} (leader)` : name);
        say(`killed ${killed.at(-1)}`);
        // Two of three go on by themselves.
        await load.more(5, READY_MS);
        await delay(random.between(0, MAX_DOWN_MS));
        await cluster.part(name).revive();
      }
      await untilCurrent(cluster);
      return { faults: rounds, figures: { killed } };
    },
    afterwards: sameEverywhere,
  });

/** The server that leads a stream. @throws Error while there is none */
export const leaderOf = async ({ nats }: Cluster, stream: string): Promise<NatsNodeName> => {
  let leader: string | undefined;
  await until(`${stream} has a leader`, READY_MS, async () => {
    const manager = await jetstreamManager(nats);
    leader = (await manager.streams.info(stream)).cluster?.leader;
    return leader !== undefined && leader !== '';
  });
  return leader as NatsNodeName;
};

/** Waits until every copy of the logs is up to date: a second server may go only then. */
export const untilCurrent = ({ nats }: Cluster): Promise<void> =>
  until('every copy of the log is current', READY_MS, async () => {
    const manager = await jetstreamManager(nats);
    for (const stream of WATCHED) {
      const { cluster } = await manager.streams.info(stream);
      const replicas = cluster?.replicas ?? [];
      if (!cluster?.leader || replicas.length < NATS_NODES.length - 1) return false;
      if (!replicas.every(({ current, offline, lag }) => current && !offline && !lag)) return false;
    }
    return true;
  });

/** Has each server lead the logs once, and compares what it holds: nothing may differ between the copies. */
export const sameEverywhere = async (cluster: Cluster): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const stream of WATCHED) {
    await untilCurrent(cluster);
    const held = new Map<NatsNodeName, string>();
    for (const name of NATS_NODES) {
      await lead(cluster, stream, name);
      const { state } = await (await jetstreamManager(cluster.nats)).streams.info(stream);
      held.set(name, `${state.messages} messages, ${state.bytes} bytes, last ${state.last_seq}`);
    }
    const differing = new Set(held.values()).size > 1 ? [...held].map(([name, facts]) => `${name}: ${facts}`) : [];
    findings.push(noneOf(`copies of ${stream} that differ`, differing, `none of ${held.size}: ${[...held.values()][0]}`));
  }
  return findings;
};

/** Has a server lead a stream. */
const lead = (cluster: Cluster, stream: string, name: NatsNodeName): Promise<void> =>
  until(`${name} leads ${stream}`, READY_MS, async () => {
    if ((await leaderOf(cluster, stream)) === name) return true;
    await cluster.nats.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, JSON.stringify({ placement: { preferred: name } }));
    return false;
  });
