import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { eventStreams } from '@continuo/contracts';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { streamState } from '../event-store/streams.js';
import { checkpointsOf, FencedOut, takeOverCheckpoint, type Checkpoint } from './checkpoints.js';
import { NewerEvent } from '../event-store/catalogue.js';
import { replaceOlder } from './build-up.js';
import { currentGeneration, dropRetired } from './generations.js';
import { LeaderLock } from './leader-lock.js';
import { pause } from '../pause.js';
import type { Projection } from './projection.js';
import { ProjectionWorker, type WorkerContext } from './projection-worker.js';
import { rebuild, rebuildSubject, type RebuildReport, type RebuildRequest } from './rebuild.js';

const STANDBY_POLL_MS = 1000;
const FAULT_DELAY_MS = 500;
/** A stretch of work that has gone on for so long without a fault has overcome the last one. */
const RECOVERED_AFTER_MS = 2000;

/** Status of a projection on this replica. */
export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** `building`: fills tables of this version while those of an older one are read; `held`: stands before an event of a newer release. */
  readonly role: 'starting' | 'building' | 'owner' | 'standby' | 'held' | 'refused';
  /** True when readers see tables of this version, or of a newer one. */
  readonly isCurrent: boolean;
  readonly position: number;
  readonly pendingEvents: number;
  /** Why the projection does not run, when it does not. */
  readonly fault?: string;
}

/** Marks owners that share their work by version; those of releases before shared it by the projection's name alone. */
const BY_VERSION = 'by-version';

/** Lock of a version of a projection: an older release's goes on with its tables while a newer one's fills its own. */
export const versionLock = (name: string, version: number): string => `projection:${name}:v${version}`;

/** Lock of the owners of releases that knew no other. */
export const nameLock = (name: string): string => `projection:${name}`;

/** Told when an owner has let go, so that nobody waits for the next look. */
const freeSubject = (name: string): string => `projections.free.${name}`;

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
  readonly #owner = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}/${BY_VERSION}`;
  readonly #stopping = new AbortController();
  /** Ends the present stretch of work so that the generation to work on is looked up again. */
  #restart = new AbortController();
  /** Ends the present wait for the lock. */
  #wake = new AbortController();
  #isCurrent = false;
  #rebuilding: Promise<unknown> | undefined;
  #requests: Subscription | undefined;
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
      isCurrent: this.#isCurrent,
      position: this.#worker?.checkpoint.position ?? 0,
      pendingEvents: this.#worker?.pendingEvents ?? 0,
    };
    return this.#fault === undefined ? base : { ...base, fault: this.#fault };
  }

  async #keepGoing(): Promise<void> {
    const free = this.#context.nats.subscribe(freeSubject(this.#projection.name), { callback: () => this.#wake.abort() });
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#term();
      } catch (error) {
        this.#noteFault(error);
        await this.#untilFree(error instanceof NewerEvent ? STANDBY_POLL_MS : FAULT_DELAY_MS);
      }
    }
    if (!free.isClosed()) free.unsubscribe();
  }

  async #untilFree(withinMs: number): Promise<void> {
    this.#wake = new AbortController();
    await pause(withinMs, AbortSignal.any([this.#stopping.signal, this.#wake.signal]));
  }

  #noteFault(error: unknown): void {
    const projection = this.#projection.name;
    const isKnown = this.#role === 'held';
    this.#fault = error instanceof Error ? error.message : String(error);
    if (error instanceof NewerEvent) {
      this.#role = 'held';
      if (!isKnown) this.#context.log.warn({ projection, reason: this.#fault }, 'projection waits for a newer release to take it over');
      return;
    }
    if (error instanceof FencedOut) this.#context.log.warn({ projection }, 'projection taken over by another owner');
    else this.#context.log.error({ err: error, projection }, 'projection interrupted');
  }

  /** One term of leadership: from getting the lock to losing it or stopping. */
  async #term(): Promise<void> {
    const { name, version } = this.#projection;
    const lock = await LeaderLock.tryAcquire(this.#context.db, versionLock(name, version));
    if (!lock) {
      await this.#standBy();
      return;
    }
    try {
      // The term outlasts a stretch that fails: whoever asks for a rebuild must find the owner, all the more when its tables cannot go on.
      while (!this.#stopping.signal.aborted && !lock.lost.aborted) await this.#workOrPause(lock);
    } finally {
      this.#listen(undefined);
      await Promise.allSettled([this.#rebuilding]);
      for (const state of ['live', 'building'] as const) this.#context.metrics.projectionLag.forget(this.#projection.name, state);
      this.#context.metrics.projectionPosition.remove({ projection: this.#projection.name });
      await lock.release();
      if (!this.#context.nats.isClosed()) this.#context.nats.publish(freeSubject(name));
    }
  }

  async #standBy(): Promise<void> {
    const live = this.#isCurrent ? undefined : (await checkpointsOf(this.#context.db, this.#projection.name)).find(isLive);
    this.#isCurrent ||= live !== undefined && live.version >= this.#projection.version;
    this.#role = 'standby';
    this.#fault = undefined;
    this.#worker = undefined;
    await this.#untilFree(STANDBY_POLL_MS);
  }

  /** Answers rebuild requests while there is a lock to do it under; only one replica may, or several would rebuild. */
  #listen(lock: LeaderLock | undefined): void {
    if (lock && this.#requests) return;
    if (this.#requests && !this.#requests.isClosed()) this.#requests.unsubscribe();
    this.#requests =
      lock &&
      this.#context.nats.subscribe(rebuildSubject(this.#projection.name), {
        callback: (error, message) => {
          if (!error) this.#answerRebuild(message, lock.lost);
        },
      });
  }

  async #workOrPause(lock: LeaderLock): Promise<void> {
    try {
      await this.#work(lock);
    } catch (error) {
      if (error instanceof FencedOut || error instanceof NewerEvent) throw error;
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
    if (!generation || (await this.#isOwnedByName(generation))) {
      // Of a newer release whose last replica has gone, this one may be asked to build its own tables again.
      this.#listen(generation || (await this.#isNewerAlive()) ? undefined : lock);
      await this.#standBy();
      return;
    }
    this.#listen(generation.state === 'live' ? lock : undefined);
    this.#isCurrent = generation.state === 'live';
    if (this.#fits(generation, epoch, lastPosition)) return this.#project(generation, signal);
    this.#worker = undefined;
    await pause(STANDBY_POLL_MS, signal);
  }

  /** True when a replica of a release that shared the work by name goes on with these tables. */
  async #isOwnedByName({ state, name, version, generation }: Checkpoint): Promise<boolean> {
    if (state !== 'live') return false;
    const { db } = this.#context;
    const found = await sql<{ owner: string | null }>`
      select owner from chassis.projection_checkpoint where name = ${name} and version = ${version} and generation = ${generation}`.execute(
      db,
    );
    const owner = found.rows[0]?.owner;
    return owner !== null && owner !== undefined && !owner.endsWith(BY_VERSION) && LeaderLock.isHeld(db, nameLock(name));
  }

  async #isNewerAlive(): Promise<boolean> {
    const { db } = this.#context;
    const live = (await checkpointsOf(db, this.#projection.name)).find(isLive);
    return live !== undefined && LeaderLock.isHeld(db, versionLock(live.name, live.version));
  }

  async #project(generation: Checkpoint, signal: AbortSignal): Promise<void> {
    const { db, manager } = this.#context;
    const worker = new ProjectionWorker(this.#context, this.#projection, await takeOverCheckpoint(db, generation, this.#owner));
    this.#worker = worker;
    this.#role = generation.state === 'building' ? 'building' : 'owner';
    const recovered = setTimeout(() => {
      this.#fault = undefined;
    }, RECOVERED_AFTER_MS);
    try {
      if (generation.state === 'building') {
        await replaceOlder({ db, manager, signal, projection: this.#projection, worker });
        this.#isCurrent = true;
        this.#context.metrics.projectionLag.forget(this.#projection.name, 'building');
      } else {
        const cleaning = dropRetired(db, this.#projection, signal).catch((error: unknown) =>
          this.#context.log.warn({ err: error, projection: this.#projection.name }, 'old tables are not dropped yet'),
        );
        await Promise.all([worker.run(signal), cleaning]);
      }
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      // A commit that was held back while its tables were replaced finds itself fenced out; the next stretch goes on with the new ones.
      if (!(error instanceof FencedOut && (this.#restart.signal.aborted || this.#rebuilding))) throw error;
    } finally {
      clearTimeout(recovered);
    }
  }

  /** A checkpoint of another incarnation of the log, or beyond its end, must not be continued: it would show facts that never were. */
  #fits(generation: Checkpoint, epoch: string, lastPosition: number): boolean {
    if (generation.epoch === epoch && generation.position <= lastPosition) return true;
    if (this.#role !== 'refused') {
      this.#fault =
        `The tables of ${this.#projection.name} do not belong to this event log (position ${generation.position} of ${lastPosition}). ` +
        `Restore the matching log, or run "continuo projections rebuild ${this.#projection.name} --accept-loss".`;
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
    // Tables that cannot go on are nothing to wait for or to compare with.
    const live = (): Checkpoint | undefined => (this.#fault === undefined ? this.#worker?.checkpoint : undefined);
    const report = await rebuild({ db, nats, metrics, manager, owner: this.#owner, signal, live }, this.#projection, request);
    // Who has nothing to commit would not notice.
    if (request.mode === 'replace') this.#restart.abort();
    log.info({ ...report, digests: undefined }, 'rebuild finished');
    return report;
  }
}

const isLive = ({ state }: Checkpoint): boolean => state === 'live';
