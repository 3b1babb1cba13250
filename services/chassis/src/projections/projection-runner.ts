import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { streamState } from '../event-store/streams.js';
import { FencedOut, takeOver, type Checkpoint } from './checkpoints.js';
import { currentGeneration, promote } from './generations.js';
import { LeaderLock } from './leader-lock.js';
import { pause } from './pause.js';
import type { Projection } from './projection.js';
import { ProjectionWorker, type WorkerContext } from './projection-worker.js';
import { rebuild, rebuildSubject, type RebuildReport, type RebuildRequest } from './rebuild.js';

const STANDBY_POLL_MS = 1000;
const FAULT_DELAY_MS = 500;
/** A stretch of work that has gone on for so long without a fault has overcome the last one. */
const RECOVERED_AFTER_MS = 2000;

/** Where a projection stands on this replica. */
export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly role: 'starting' | 'owner' | 'standby' | 'refused';
  readonly position: number;
  readonly pendingEvents: number;
  /** Why the projection does not run, when it does not. */
  readonly fault?: string;
}

/** The surroundings of a runner. */
export interface RunnerContext extends WorkerContext {
  readonly manager: JetStreamManager;
  readonly log: Logger;
}

/**
 * Keeps one projection going: one replica owns it (a Postgres lock that dies with its connection), the others stand by; the fence in the
 * checkpoint stops an owner that has not noticed its loss. Faults of the surroundings are retried for ever, from the committed checkpoint.
 */
export class ProjectionRunner {
  readonly #context: RunnerContext;
  readonly #projection: Projection;
  readonly #owner = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  readonly #stopping = new AbortController();
  /** Ends the present stretch of work so that the generation to work on is looked up again. */
  #restart = new AbortController();
  /** The tail of the queue of commits and of steps that hold commits back. */
  #gate: Promise<unknown> = Promise.resolve();
  #rebuilding: Promise<unknown> | undefined;
  #loop: Promise<void> = Promise.resolve();
  #worker: ProjectionWorker | undefined;
  #role: ProjectionStatus['role'] = 'starting';
  #fault: string | undefined;

  constructor(context: RunnerContext, projection: Projection) {
    this.#context = context;
    this.#projection = projection;
  }

  start(): void {
    this.#loop = this.#keepGoing();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([this.#loop, this.#rebuilding]);
  }

  status(): ProjectionStatus {
    const { name, version } = this.#projection;
    const base = {
      name,
      version,
      role: this.#role,
      position: this.#worker?.checkpoint.position ?? 0,
      pendingEvents: this.#worker?.pendingEvents ?? 0,
    };
    return this.#fault === undefined ? base : { ...base, fault: this.#fault };
  }

  async #keepGoing(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#term();
      } catch (error) {
        this.#noteFault(error);
        await pause(FAULT_DELAY_MS, this.#stopping.signal);
      }
    }
  }

  #noteFault(error: unknown): void {
    const projection = this.#projection.name;
    this.#fault = error instanceof Error ? error.message : String(error);
    if (error instanceof FencedOut) this.#context.log.warn({ projection }, 'projection taken over by another owner');
    else this.#context.log.error({ err: error, projection }, 'projection interrupted');
  }

  /** One term of office: from getting the lock to losing it or stopping. */
  async #term(): Promise<void> {
    const lock = await LeaderLock.tryAcquire(this.#context.db, `projection:${this.#projection.name}`);
    if (!lock) {
      this.#role = 'standby';
      this.#fault = undefined;
      await pause(STANDBY_POLL_MS, this.#stopping.signal);
      return;
    }
    const requests = this.#context.nats.subscribe(rebuildSubject(this.#projection.name), {
      callback: (error, message) => {
        if (!error) this.#answerRebuild(message, lock.lost);
      },
    });
    try {
      // The term outlasts a stretch that fails: whoever asks for a rebuild must find the owner, all the more when its tables cannot go on.
      while (!this.#stopping.signal.aborted && !lock.lost.aborted) await this.#workOrPause(lock);
    } finally {
      requests.unsubscribe();
      await Promise.allSettled([this.#rebuilding]);
      await lock.release();
    }
  }

  async #workOrPause(lock: LeaderLock): Promise<void> {
    try {
      await this.#work(lock);
    } catch (error) {
      if (error instanceof FencedOut) throw error;
      this.#noteFault(error);
      await pause(FAULT_DELAY_MS, this.#stopping.signal);
    }
  }

  /** One stretch of work on one generation. */
  async #work(lock: LeaderLock): Promise<void> {
    this.#restart = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, this.#restart.signal, lock.lost]);
    const { epoch, lastPosition } = await streamState(this.#context.manager, eventStreams[this.#projection.context]);
    const generation = await currentGeneration(this.#context.db, this.#projection, epoch);
    if (!generation || !this.#fits(generation, epoch, lastPosition)) {
      if (!generation) this.#role = 'standby';
      this.#worker = undefined;
      await pause(STANDBY_POLL_MS, signal);
      return;
    }
    await this.#project(generation, lastPosition, signal);
  }

  async #project(generation: Checkpoint, lastPosition: number, signal: AbortSignal): Promise<void> {
    const context = {
      ...this.#context,
      gate: (commit: () => Promise<void>) => this.#alone(commit),
    };
    const worker = new ProjectionWorker(context, this.#projection, await takeOver(this.#context.db, generation, this.#owner));
    this.#worker = worker;
    this.#role = 'owner';
    const recovered = setTimeout(() => {
      this.#fault = undefined;
    }, RECOVERED_AFTER_MS);
    try {
      if (generation.state === 'building') {
        await worker.run(signal, lastPosition);
        if (!signal.aborted) await promote(this.#context.db, this.#projection, worker.checkpoint);
      } else await worker.run(signal);
    } catch (error) {
      // A commit that was held back while its tables were replaced finds itself fenced out; the next stretch goes on with the new ones.
      if (!(error instanceof FencedOut && this.#restart.signal.aborted)) throw error;
    } finally {
      clearTimeout(recovered);
    }
  }

  /** Runs a step when no other step or commit is under way. */
  #alone<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#gate.then(step, step);
    this.#gate = turn.catch(() => undefined);
    return turn;
  }

  /** A checkpoint of another life of the log, or beyond its end, must not be continued: it would show facts that never were. */
  #fits(generation: Checkpoint, epoch: string, lastPosition: number): boolean {
    if (generation.epoch === epoch && generation.position <= lastPosition) return true;
    if (this.#role !== 'refused') {
      this.#fault =
        `The tables of ${this.#projection.name} do not belong to this event log (position ${generation.position} of ${lastPosition}). ` +
        `Restore the matching log, or run "continuo projections rebuild ${this.#projection.name}".`;
      this.#context.log.error({ projection: this.#projection.name }, this.#fault);
    }
    this.#role = 'refused';
    return false;
  }

  #answerRebuild(message: Msg, lost: AbortSignal): void {
    if (this.#rebuilding) {
      message.respond(JSON.stringify({ ok: false, message: 'a rebuild of this projection is already under way' }));
      return;
    }
    const request: RebuildRequest = message.data.length > 0 ? message.json() : { mode: 'replace' };
    this.#rebuilding = this.#rebuild(request, lost)
      .then(
        (report) => message.respond(JSON.stringify({ ok: true, report })),
        (fault: unknown) => {
          this.#context.log.error({ err: fault, projection: this.#projection.name }, 'rebuild failed');
          message.respond(
            JSON.stringify({
              ok: false,
              message: fault instanceof Error ? fault.message : String(fault),
            }),
          );
        },
      )
      .finally(() => {
        this.#rebuilding = undefined;
      });
  }

  async #rebuild(request: RebuildRequest, lost: AbortSignal): Promise<RebuildReport> {
    const { db, nats, metrics, manager, log } = this.#context;
    log.info({ projection: this.#projection.name, mode: request.mode }, 'rebuild started');
    const signal = AbortSignal.any([this.#stopping.signal, lost]);
    const whileLiveHolds = <T>(step: () => Promise<T>): Promise<T> =>
      this.#alone(async () => {
        const outcome = await step();
        if (request.mode === 'replace') this.#restart.abort();
        return outcome;
      });
    // Tables that cannot go on are nothing to wait for or to compare with.
    const live = (): Checkpoint | undefined => (this.#fault === undefined ? this.#worker?.checkpoint : undefined);
    const report = await rebuild(
      { db, nats, metrics, manager, owner: this.#owner, signal, live, whileLiveHolds },
      this.#projection,
      request,
    );
    log.info({ ...report, digests: undefined }, 'rebuild finished');
    return report;
  }
}
