import type { FolderPlan } from '@continuo/contracts';
import type { MoveCandidate } from '../move-finder.js';

/** One folder that has to be read and recorded. */
export interface FolderTask {
  readonly plan: FolderPlan;
  readonly candidates: ReadonlyMap<string, MoveCandidate[]>;
}

/** Folders that were given away together. */
interface GivenPart {
  readonly tasks: readonly FolderTask[];
  readonly helper: string;
  aliveAtMs: number;
}

/** Settings of the work of one scan. */
export interface FolderWorkOptions {
  /** Folders that are recorded here at the same time. */
  readonly inFlight: number;
  /** Records one folder here. */
  readonly record: (task: FolderTask) => Promise<void>;
  /** Ends all of it. */
  readonly signal: AbortSignal;
  /** Monotonic clock, ms. */
  readonly clockMs: () => number;
}

/** Folders that may wait: what helpers can be given while the walk goes on. */
const MAX_WAITING = 512;
/** Files and bytes of one part; messages take up to a megabyte. */
const FILES_PER_PART = 150;
const BYTES_PER_PART = 400_000;
/** A helper that says nothing for so long has lost its part. */
export const HELPER_SILENCE_MS = 8000;

/**
 * The folders of one scan that have to be recorded. They are done here, a number of them at a time, and helpers take the last ones away in parts. A part whose
 * helper has gone silent comes back. The first failure here ends it all.
 */
export class FolderWork {
  readonly #waiting: FolderTask[] = [];
  readonly #parts = new Map<string, GivenPart>();
  readonly #listeners = new Set<() => void>();
  #running = 0;
  #nextPart = 1;
  #failure: { readonly error: unknown } | undefined;

  constructor(private readonly options: FolderWorkOptions) {
    options.signal.addEventListener('abort', () => this.#fail(options.signal.reason), { once: true });
  }

  /** Resolves when there is room for more. @throws the first failure */
  async add(task: FolderTask): Promise<void> {
    this.#waiting.push(task);
    this.#pump();
    while (this.#waiting.length >= MAX_WAITING && this.#failure === undefined) await this.#change();
    this.#throwFailure();
  }

  /** Waits until nothing is under way, here or elsewhere. @throws the first failure */
  async idle(): Promise<void> {
    while (this.#running > 0 || (this.#failure === undefined && this.#waiting.length + this.#parts.size > 0)) await this.#change();
    this.#throwFailure();
  }

  /** True while there is more to do than this process does at the moment. */
  get hasSurplus(): boolean {
    return this.#failure === undefined && this.#waiting.length > 0;
  }

  /** Gives some folders away; undefined when nothing waits. */
  take(helper: string): { readonly part: string; readonly plans: readonly FolderPlan[] } | undefined {
    if (!this.hasSurplus) return undefined;
    const tasks: FolderTask[] = [];
    for (let files = 0, bytes = 0; this.#waiting.length > 0 && files < FILES_PER_PART;) {
      const task = this.#waiting.at(-1) as FolderTask;
      const size = Buffer.byteLength(JSON.stringify(task.plan));
      if (bytes + size > BYTES_PER_PART) break;
      this.#waiting.pop();
      tasks.push(task);
      files += Math.max(1, task.plan.read.length);
      bytes += size;
    }
    if (tasks.length === 0) return undefined;
    const part = String(this.#nextPart++);
    this.#parts.set(part, { tasks, helper, aliveAtMs: this.options.clockMs() });
    this.#changed();
    return { part, plans: tasks.map(({ plan }) => plan) };
  }

  /** A helper says that it is still at its part; false when the part is not its any more. */
  keep(part: string, helper: string): boolean {
    const given = this.#parts.get(part);
    if (given?.helper !== helper || this.#failure !== undefined) return false;
    given.aliveAtMs = this.options.clockMs();
    return true;
  }

  /** A part is done; false when it was taken back before. */
  done(part: string, helper: string): boolean {
    if (this.#parts.get(part)?.helper !== helper) return false;
    this.#parts.delete(part);
    this.#changed();
    return true;
  }

  /** Takes a part back: its helper could not do it. */
  giveBack(part: string, helper: string): void {
    const given = this.#parts.get(part);
    if (given?.helper !== helper) return;
    this.#parts.delete(part);
    this.#waiting.unshift(...given.tasks);
    this.#pump();
  }

  /** Takes the parts of helpers back that have gone silent; how many. */
  reclaim(): number {
    const silent = [...this.#parts].filter(([, given]) => this.options.clockMs() - given.aliveAtMs > HELPER_SILENCE_MS);
    for (const [part, { helper }] of silent) this.giveBack(part, helper);
    return silent.length;
  }

  #pump(): void {
    while (this.#running < this.options.inFlight && this.#waiting.length > 0 && this.#failure === undefined) {
      const task = this.#waiting.shift() as FolderTask;
      this.#running += 1;
      void this.#run(task);
    }
    this.#changed();
  }

  async #run(task: FolderTask): Promise<void> {
    try {
      await this.options.record(task);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running -= 1;
      this.#pump();
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#changed();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const listener = (): void => {
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
