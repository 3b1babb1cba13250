import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectNats, createLogger, NatsCommandClient } from '@continuo/chassis';
import { addCatalog, Rejection } from '@continuo/contracts';
import { noneOf, type Finding } from '../checks/finding.js';
import type { Addresses } from '../cluster/cluster.js';
import { HostNetwork, type PartitionKind } from '../net/namespaces.js';
import { until } from '../until.js';
import { leaderOf, NATS_NODES, sameEverywhere, untilCurrent } from './nats-of-three.js';
import type { RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const READY_MS = 150_000;
/** A caller at a server that is cut off must know by then. */
const ANSWER_MS = 12_000;
/** By then services have looked for a server that is not cut off. */
const MOVED_MS = 90_000;
const CUT_MS = 8000;
const BETWEEN_CALLS_MS = 500;

interface Cut {
  readonly deafness: PartitionKind;
  readonly from: 'others' | 'everybody';
}

/** By turns: cut off from the other servers, deaf to them, not heard by them, and cut off from everybody. */
const cuts: readonly Cut[] = [
  { deafness: 'both', from: 'others' },
  { deafness: 'hears nothing', from: 'others' },
  { deafness: 'is not heard', from: 'others' },
  { deafness: 'both', from: 'everybody' },
];

/** One of three NATS servers is cut off: first the one that leads the log, then any. Each service begins at a server of its own. */
export const partitionOfNats = async (options: RowOptions): Promise<RowReport> => {
  const network = await HostNetwork.make();
  try {
    return await underLoad(options, {
      row: 'partition',
      cluster: {
        services: ['library-1', 'library-2', 'playback-1', 'playback-2'],
        natsHosts: network.hosts,
        detour: ({ NATS_URL }) => {
          const [first = '', second = '', third = ''] = NATS_URL.split(',');
          // The others they learn from the one that they begin at.
          const begins = { 'library-1': first, 'library-2': second, 'playback-1': third, 'playback-2': first };
          return Promise.resolve(Object.fromEntries(Object.entries(begins).map(([name, url]) => [name, { NATS_URL: url }])));
        },
      },
      fault: async (scene) => {
        const findings: Finding[] = [];
        const told: unknown[] = [];
        for (let round = 0; round < scene.rounds; round += 1) {
          const { finding, ...figures } = await cutOff(scene, network, round);
          findings.push(...finding);
          told.push(figures);
        }
        return { faults: scene.rounds, findings, figures: { cuts: told } };
      },
      afterwards: sameEverywhere,
    });
  } finally {
    await network.end();
  }
};

const cutOff = async ({ cluster, load, random, say }: Scene, network: HostNetwork, round: number) => {
  await untilCurrent(cluster);
  const cut = cuts[round % cuts.length] as Cut;
  const leader = NATS_NODES.indexOf(await leaderOf(cluster, 'EV_LIBRARY'));
  const victim = round === 0 ? leader : random.between(0, NATS_NODES.length - 1);
  const caller = await CutOffCaller.start(cluster.addresses, victim);
  const calling = caller.run();
  await delay(BETWEEN_CALLS_MS);
  const startedAt = performance.now();
  await network.partition(victim + 1, cut.deafness, cut.from);
  const what = `${NATS_NODES[victim]}${victim === leader ? ' (leader)' : ''}: ${cut.deafness}, ${cut.from}`;
  say(what);
  try {
    // The others go on, and who was connected to the one that is cut off looks for another one.
    await load.more(10, READY_MS);
    await delay(CUT_MS);
    await until('whoever called at the server that is cut off is served again', MOVED_MS, () =>
      Promise.resolve(caller.isServedSince(startedAt + CUT_MS)),
    );
  } finally {
    await network.heal();
  }
  const movedMs = Math.round(performance.now() - startedAt);
  await cluster.ready(READY_MS);
  await load.more(5, READY_MS);
  const { longestMs, refused, served } = await caller.stop(calling);
  const finding = noneOf(
    `${what}: callers who waited longer than ${ANSWER_MS} ms`,
    longestMs > ANSWER_MS ? [`${longestMs} ms`] : [],
    `longest ${longestMs} ms`,
  );
  return { finding: [finding], what, movedMs, served, refused, longestAnswerMs: longestMs };
};

/** Asks for something again and again at one server, as a gateway there would, and notes how long each answer took. */
class CutOffCaller {
  readonly #commands: NatsCommandClient;
  readonly #close: () => Promise<void>;
  #isOver = false;
  #longestMs = 0;
  #served = 0;
  #refused = 0;
  #lastServedAt = 0;

  private constructor(commands: NatsCommandClient, close: () => Promise<void>) {
    this.#commands = commands;
    this.#close = close;
  }

  static async start(addresses: Addresses, victim: number): Promise<CutOffCaller> {
    const url = addresses.NATS_URL.split(',')[victim] ?? '';
    const nats = await connectNats('caller', { ...addresses, NATS_URL: url }, createLogger('failure', 'silent'));
    return new CutOffCaller(new NatsCommandClient(nats), () => nats.close());
  }

  isServedSince(ms: number): boolean {
    return this.#lastServedAt > ms;
  }

  /** A catalog in a folder that does not exist: refused by whoever answers, so that nothing changes. */
  async run(): Promise<void> {
    for (; !this.#isOver; await delay(BETWEEN_CALLS_MS)) {
      const startedAt = performance.now();
      const context = { actor: 'system', correlationId: randomUUID(), causationId: 'failure-suite' };
      try {
        await this.#commands.send(addCatalog, { name: 'nowhere', path: '/there/is/no/such/folder' }, context);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        if (error.code === 'unavailable') this.#refused += 1;
        else {
          this.#served += 1;
          this.#lastServedAt = performance.now();
        }
      }
      this.#longestMs = Math.max(this.#longestMs, Math.round(performance.now() - startedAt));
    }
  }

  async stop(running: Promise<void>): Promise<{ longestMs: number; served: number; refused: number }> {
    this.#isOver = true;
    await running;
    await this.#close();
    return { longestMs: this.#longestMs, served: this.#served, refused: this.#refused };
  }
}
