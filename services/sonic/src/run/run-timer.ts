import { randomUUID } from 'node:crypto';
import { systemContext } from '@continuo/chassis';
import type { Logger } from 'pino';
import { isAnyUnknown, libraryChangeState } from './part-songs.reads.js';
import { startRun, type RunStartDependencies } from './run-start.js';

/** Dependencies of the timer. */
export interface RunTimerDependencies extends RunStartDependencies {
  readonly log: Logger;
  readonly now: () => number;
  /** Pause between two looks, ms; 0: none are taken. */
  readonly pauseMs: number;
}

/** The first look comes soon after the start. */
const FIRST_LOOK_MS = 10_000;

/**
 * Looks now and then whether there are songs that nobody has analysed, and starts a run for them. Nothing is looked at while the library has not changed, nor while scans go on.
 * Two replicas that look at the same moment start two runs, of which the second one finds everything known.
 */
export class RunTimer {
  readonly #deps: RunTimerDependencies;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #version = -1;

  constructor(deps: RunTimerDependencies) {
    this.#deps = deps;
  }

  start(): void {
    const { analyser, pauseMs } = this.#deps;
    if (analyser && pauseMs > 0) this.#wait(Math.min(FIRST_LOOK_MS, pauseMs));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #wait(pauseMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#run();
    }, pauseMs);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    try {
      await this.look();
    } catch (err) {
      this.#deps.log.warn({ err }, 'search for songs to analyse failed');
    }
    this.#wait(this.#deps.pauseMs);
  }

  /** One look. */
  async look(): Promise<void> {
    const { db, analyser, log, now } = this.#deps;
    if (!analyser) return;
    const { version, isScanning } = await libraryChangeState(db);
    if (version === this.#version || isScanning) return;
    if (await isAnyUnknown(db, analyser.model)) {
      const id = randomUUID();
      const meta = { ...systemContext(id), commandId: id, at: now() };
      const { runId } = await startRun(this.#deps, { again: false }, meta);
      log.info({ runId }, 'analysis of new songs started');
    }
    // Songs that could not be opened, or whose run was cancelled, are tried again when the library has changed.
    this.#version = version;
  }
}
