import { formatTable, type Cell } from '@continuo/continuo-cli';
import { formatBytes, formatDuration, projectionStates, type Session } from '@continuo/operations';
import type { Times } from './times.js';
import { Usage, type Used, type Watched } from './usage.js';

/** Part of the time, named after what went on beside the crowd. */
export interface Stretch {
  readonly name: string;
  readonly seconds: number;
  /** Most events that a projection was behind its log. */
  readonly eventsBehind: number;
  readonly used: readonly Used[];
}

const LAG_EVERY_MS = 5000;

/** Divides the time into stretches, and watches processes and projections meanwhile. */
export class Stretches {
  readonly #times: Times;
  readonly #usage: Usage;
  readonly #print: (line: string) => void;
  readonly #lagTimer: NodeJS.Timeout;
  readonly #done: Stretch[] = [];
  #behind = 0;

  constructor(session: Session, watched: readonly Watched[], times: Times, print: (line: string) => void) {
    this.#times = times;
    this.#print = print;
    this.#usage = new Usage(watched);
    this.#lagTimer = setInterval(() => void this.#lookAtLag(session), LAG_EVERY_MS);
  }

  /** Does something as a stretch of its own. */
  async during(name: string, work: () => Promise<unknown>): Promise<void> {
    this.#times.meanwhile(name);
    this.#behind = 0;
    await this.#usage.look();
    const fromMs = Date.now();
    await work();
    const toMs = Date.now();
    await this.#usage.look();
    this.#done.push({ name, seconds: (toMs - fromMs) / 1000, eventsBehind: this.#behind, used: this.#usage.between(fromMs, toMs) });
    this.#print(`${name}: ${formatDuration(toMs - fromMs)}`);
  }

  /** All stretches; nothing is watched any more. */
  async end(): Promise<readonly Stretch[]> {
    clearInterval(this.#lagTimer);
    await this.#usage.stop();
    return this.#done;
  }

  async #lookAtLag(session: Session): Promise<void> {
    const states = await projectionStates(session);
    this.#behind = Math.max(this.#behind, ...states.map(({ state, lagEvents }) => (state === 'live' ? (lagEvents ?? 0) : 0)));
  }
}

const sumOf = (used: readonly Used[], value: (one: Used) => number): number => used.reduce((sum, one) => sum + value(one), 0);

const rowsOf = ({ name, used }: Stretch): Cell[][] => {
  const sums: Used = {
    name: 'all',
    processors: sumOf(used, ({ processors }) => processors),
    firstBytes: sumOf(used, ({ firstBytes }) => firstBytes),
    lastBytes: sumOf(used, ({ lastBytes }) => lastBytes),
    mostBytes: sumOf(used, ({ mostBytes }) => mostBytes),
  };
  return [...used, sums].map((one) => [
    name,
    one.name,
    one.processors.toFixed(3),
    ...[one.firstBytes, one.lastBytes, one.mostBytes].map((bytes) => formatBytes(bytes)),
  ]);
};

/** Tables of what processes used, and of how far projections were behind. */
export const describeStretches = (stretches: readonly Stretch[]): string[] => [
  formatTable(['Meanwhile', 'Process', 'Processors', 'Memory, first', 'last', 'most'], stretches.flatMap(rowsOf)),
  formatTable(
    ['Meanwhile', 'Seconds', 'Events behind, at most'],
    stretches.map(({ name, seconds, eventsBehind }) => [name, seconds, eventsBehind]),
  ),
];
