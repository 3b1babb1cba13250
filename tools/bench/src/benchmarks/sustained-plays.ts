import { setTimeout as delay } from 'node:timers/promises';
import { recordPlays, startPlayback, type LogPosition, type SongId, type UserId } from '@continuo/contracts';
import { sql } from 'kysely';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import { cpuOfTree, type CpuByProgram } from '../measure/process-cpu.js';
import type { Measurement } from '../measure/report.js';
import { median } from '../measure/stats.js';

/** A way in which plays come. */
interface Shape {
  readonly label: string;
  readonly playsPerCommand: number;
  /** Plays a second that come in, whatever becomes of them. */
  readonly playsPerSecond: number;
  readonly send: (server: StandaloneProcess, command: number, songs: number) => Promise<readonly LogPosition[]>;
}

/** Target rate, plays per second. */
const TARGET_PER_SECOND = 5000;
const DURATION_MS = 20_000;
const LISTENERS = 3000;
const SAMPLE_MS = 250;
const TICK_MS = 10;
/** Commands that wait for an answer at the same time; more would only measure the queue. */
const MOST_UNDER_WAY = 100;
const PLAYS_OF_LIST = 20;
const SONG_MS = 200_000;
const CAUGHT_UP_MS = 60_000;
/** Numbers without a common divisor with the sizes of libraries. */
const STRIDE = 7919;

const songOf = (n: number, songs: number): SongId => (((n * STRIDE) % songs) + 1) as SongId;
/** Every listener comes back after all the others. */
const listenerOf = (command: number): UserId => (1 + (command % LISTENERS)) as UserId;

const sendList: Shape['send'] = async ({ session }, command, songs) => {
  const now = Date.now();
  const plays = Array.from({ length: PLAYS_OF_LIST }, (_, n) => ({
    songId: songOf(command * PLAYS_OF_LIST + n, songs),
    playedAtMs: now - (PLAYS_OF_LIST - n) * SONG_MS,
    durationMs: SONG_MS,
  }));
  const data = { userId: listenerOf(command), client: 'bench', plays };
  return (await session.commands.send(recordPlays, data, session.context())).positions;
};

const sendOne: Shape['send'] = async ({ session }, command, songs) => {
  const data = {
    userId: listenerOf(command),
    client: 'bench',
    objectType: 'song' as const,
    objectId: songOf(command, songs),
    // Each listener hears one song after the other.
    startedAtMs: Date.now() + Math.floor(command / LISTENERS) * SONG_MS,
    durationMs: SONG_MS,
    isNow: true,
    play: { skipWindowMs: 20_000 },
  };
  return (await session.commands.send(startPlayback, data, session.context())).positions;
};

const shapes: readonly Shape[] = [
  { label: `lists of ${PLAYS_OF_LIST}`, playsPerCommand: PLAYS_OF_LIST, playsPerSecond: TARGET_PER_SECOND, send: sendList },
  { label: 'one by one', playsPerCommand: 1, playsPerSecond: TARGET_PER_SECOND, send: sendOne },
];

interface Flow {
  readonly sent: number;
  readonly seconds: number;
  /** Events that the tables were behind the log, in the order of the samples. */
  readonly lags: readonly number[];
  readonly catchUpMs: number;
}

const lagNow = async ({ session }: StandaloneProcess, position: number): Promise<number> => {
  const { rows } = await sql<{ position: number }>`
    select position from chassis.projection_checkpoint where name = 'playback-plays' and state = 'live'`.execute(session.db);
  return Math.max(0, position - (rows[0]?.position ?? 0));
};

/** Lets plays come in at a steady rate, as they do, and looks how far the tables stay behind. */
const flow = async (server: StandaloneProcess, { playsPerCommand, playsPerSecond, send }: Shape, songs: number): Promise<Flow> => {
  const lags: number[] = [];
  const underWay = new Set<Promise<void>>();
  let last: LogPosition | undefined;
  let commands = 0;
  const failures: unknown[] = [];
  const one = async (command: number): Promise<void> => {
    for (const position of await send(server, command, songs)) if (position.position > (last?.position ?? 0)) last = position;
  };
  const started = performance.now();
  for (let sampledAt = started; performance.now() - started < DURATION_MS && failures.length === 0; await delay(TICK_MS)) {
    const due = Math.floor(((performance.now() - started) / 1000) * (playsPerSecond / playsPerCommand));
    for (; commands < due && underWay.size < MOST_UNDER_WAY; commands += 1) {
      const sending: Promise<void> = one(commands)
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
    if (performance.now() - sampledAt < SAMPLE_MS) continue;
    sampledAt = performance.now();
    lags.push(await lagNow(server, last?.position ?? 0));
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw new Error('plays were refused', { cause: failures[0] });
  const endedAt = performance.now();
  if (last && !(await server.session.watch.waitFor([last], CAUGHT_UP_MS))) throw new Error('the tables did not catch up');
  return { sent: commands * playsPerCommand, seconds: (endedAt - started) / 1000, lags, catchUpMs: performance.now() - endedAt };
};

const cpuNote = (before: CpuByProgram, after: CpuByProgram, plays: number): { perThousandMs: number; note: string } => {
  const spent = [...after].map(([program, ms]) => [program, ((ms - (before.get(program) ?? 0)) * 1000) / plays] as const);
  const shown = spent.filter(([, ms]) => ms >= 1).toSorted(([, a], [, b]) => b - a);
  return {
    perThousandMs: spent.reduce((sum, [, ms]) => sum + ms, 0),
    note: shown.map(([program, ms]) => `${program} ${ms.toFixed(0)}`).join(', '),
  };
};

const third = (lags: readonly number[], which: 0 | 2): number => {
  const size = Math.max(1, Math.floor(lags.length / 3));
  return median(which === 0 ? lags.slice(0, size) : lags.slice(-size));
};

/** Plays at the rate that the issue asks for, of thousands of listeners: whether they get in, what they cost, and whether the tables keep up. */
export const measureSustainedPlays = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const measurements: Measurement[] = [];
  for (const shape of shapes) {
    const before = await cpuOfTree(server.pid);
    const { sent, seconds, lags, catchUpMs } = await flow(server, shape, songs);
    const cpu = cpuNote(before, await cpuOfTree(server.pid), sent);
    const [early, late] = [third(lags, 0), third(lags, 2)];
    measurements.push(
      {
        what: `plays taken, ${shape.label}`,
        value: sent / seconds,
        unit: 'plays/s',
        budget: { atLeast: TARGET_PER_SECOND * 0.98 },
        note: `${sent} plays`,
      },
      {
        what: `tables behind at the end, ${shape.label}`,
        value: late,
        unit: 'events',
        budget: { atMost: TARGET_PER_SECOND },
        note: `${early} at first`,
      },
      { what: `caught up after the end, ${shape.label}`, value: catchUpMs, unit: 'ms' },
      { what: `CPU for 1,000 plays, ${shape.label}`, value: cpu.perThousandMs, unit: 'ms', note: cpu.note },
    );
  }
  return measurements;
};
