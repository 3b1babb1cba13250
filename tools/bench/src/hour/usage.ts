import { treeCpuMs, treePssBytes } from '../measure/memory.js';

/** A process with what it has started. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
}

interface Look {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly pssBytes: number;
}

/** Processor time and memory of one process over a stretch of time. */
export interface Used {
  readonly name: string;
  /** Processors in use, on average. */
  readonly processors: number;
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly mostBytes: number;
}

const EVERY_MS = 10_000;
/** A look at all processes takes a moment. */
const LOOK_MS = 2000;

/** Looks at processes again and again until it is stopped. */
export class Usage {
  readonly #looks = new Map<string, Look[]>();
  readonly #watched: readonly Watched[];
  readonly #timer: NodeJS.Timeout;
  #last: Promise<void> = Promise.resolve();

  constructor(watched: readonly Watched[]) {
    this.#watched = watched;
    for (const { name } of watched) this.#looks.set(name, []);
    this.#timer = setInterval(() => void this.look(), EVERY_MS);
  }

  /** Looks at once; one look at a time. */
  look(): Promise<void> {
    const before = this.#last;
    this.#last = this.#lookAfter(before);
    return this.#last;
  }

  async #lookAfter(before: Promise<void>): Promise<void> {
    await before;
    for (const { name, pid } of this.#watched)
      this.#looks.get(name)?.push({ atMs: Date.now(), cpuMs: await treeCpuMs(pid), pssBytes: await treePssBytes(pid) });
  }

  /** Use between two moments that were looked at, epoch milliseconds. */
  between(fromMs: number, toMs: number): Used[] {
    return [...this.#looks].flatMap(([name, all]) => {
      const looks = all.filter(({ atMs }) => atMs >= fromMs - LOOK_MS && atMs <= toMs + LOOK_MS);
      const [first, last] = [looks[0], looks.at(-1)];
      if (!first || !last || last.atMs === first.atMs) return [];
      const processors = (last.cpuMs - first.cpuMs) / (last.atMs - first.atMs);
      const mostBytes = Math.max(...looks.map(({ pssBytes }) => pssBytes));
      return [{ name, processors, firstBytes: first.pssBytes, lastBytes: last.pssBytes, mostBytes }];
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }
}
