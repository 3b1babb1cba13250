import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { equal } from '../checks/finding.js';
import type { Cluster, ServiceName } from '../cluster/cluster.js';
import { NatsTrap, type Trigger } from '../net/nats-trap.js';
import type { FaultOutcome, RowOptions, RowReport } from './row.js';
import { underLoad, type Scene } from './under-load.js';

const VICTIMS = ['library-1', 'playback-1'] as const satisfies readonly ServiceName[];
const STREAMS = ['EV_LIBRARY', 'EV_PLAYBACK'];
const CAUGHT_MS = 60_000;
const READY_MS = 90_000;
const BETWEEN_MS = 500;
const SHORT_WINDOW_MS = 100;
/** Longer than the short window, and shorter than a caller waits. */
const PAST_WINDOW_MS = 1000;
const SECOND_NS = 1e9;

/** An event on its way to the log; of an atomic batch the last one, which would make all of it count. */
const anAppend: Trigger = ({ verb, subject, bytes }) => {
  if (verb !== 'HPUB' || !subject.startsWith('ev.')) return false;
  const head = bytes.toString('latin1');
  return !head.includes('Nats-Batch-Id') || head.includes('Nats-Batch-Commit');
};

/** The good answer to a command that has written something. */
const anAnswer: Trigger = ({ subject, bytes }) =>
  subject.startsWith('_INBOX.') && /"ok":true,"positions":\[\{/.test(bytes.toString('latin1'));

interface Point {
  readonly row: string;
  readonly trigger: Trigger;
  /** Whether the log has forgotten the message ids by the time the caller comes again. */
  readonly isPastWindow: boolean;
}

const handlerDies =
  ({ row, trigger, isPastWindow }: Point) =>
  async (options: RowOptions): Promise<RowReport> => {
    const traps = new Map<ServiceName, NatsTrap>();
    return underLoad(options, {
      row,
      cluster: {
        services: ['library-1', 'library-2', 'playback-1', 'playback-2'],
        detour: async ({ NATS_URL }, onEnd) => {
          for (const name of VICTIMS) {
            const trap = await NatsTrap.start(NATS_URL);
            traps.set(name, trap);
            onEnd(() => trap.stop());
          }
          return Object.fromEntries([...traps].map(([name, { url }]) => [name, { NATS_URL: url }]));
        },
      },
      fault: async (scene) => {
        if (isPastWindow) await shortenWindow(scene.cluster);
        return killAtPoint(scene, traps, { trigger, isPastWindow });
      },
    });
  };

/** Two minutes are long for a test: the log is told to forget message ids at once. */
const shortenWindow = async ({ nats }: Cluster): Promise<void> => {
  const manager = await jetstreamManager(nats);
  for (const stream of STREAMS) await manager.streams.update(stream, { duplicate_window: (SHORT_WINDOW_MS / 1000) * SECOND_NS });
};

const killAtPoint = async (
  { cluster, load, rounds, say }: Scene,
  traps: ReadonlyMap<ServiceName, NatsTrap>,
  { trigger, isPastWindow }: Omit<Point, 'row'>,
): Promise<FaultOutcome> => {
  const caught: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const name = VICTIMS[round % VICTIMS.length] as ServiceName;
    const trap = traps.get(name) as NatsTrap;
    const { subject } = await within(CAUGHT_MS, trap.spring(trigger));
    // Messages from the server have reached the service; answers of the service no longer leave.
    if (isPastWindow) await delay(PAST_WINDOW_MS);
    await cluster.part(name).kill();
    trap.release();
    caught.push(subject);
    say(`${name} killed at ${subject}`);
    await load.more(3, READY_MS);
    await cluster.part(name).revive();
    await cluster.ready(READY_MS);
    await delay(BETWEEN_MS);
  }
  return { faults: caught.length, findings: [equal('handlers caught at the point', caught.length, rounds)], figures: { caught } };
};

const within = async <T>(ms: number, awaited: Promise<T>): Promise<T> => {
  const late = new AbortController();
  const tooLate = delay(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no handler came to the point within ${ms} ms`);
  });
  tooLate.catch(() => undefined);
  try {
    return await Promise.race([awaited, tooLate]);
  } finally {
    late.abort();
  }
};

/** A handler dies with its event ready to be appended, an atomic batch before the message that commits it. */
export const handlerBeforeAppend = handlerDies({ row: 'handler-before-append', trigger: anAppend, isPastWindow: false });

/** A handler dies with its events in the log and its answer ready to be sent. */
export const handlerAfterAppend = handlerDies({ row: 'handler-after-append', trigger: anAnswer, isPastWindow: false });

/** The same, and the log has forgotten the message ids when the caller comes again. */
export const handlerAfterWindow = handlerDies({ row: 'handler-after-window', trigger: anAnswer, isPastWindow: true });
