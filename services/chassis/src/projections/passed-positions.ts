import { passedSubject, type EventStreamName, type PassedNotice } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { sql, type Kysely } from 'kysely';
import { isDatabaseUnavailable } from '../persistence/database-unavailable.js';
import { ownedElsewhere, type Checkpoint } from './checkpoints.js';
import { WaitingReaders } from './waiting-readers.js';

/** Interval at which checkpoints are moved over events that their projections do not handle: nobody waits for these. */
const WRITE_EVERY_MS = 250;
/** The same while somebody waits who sees nothing but checkpoints. */
const WRITE_SOON_MS = 5;
/** A checkpoint that could not be moved so many times in a row is not this owner's any more. */
const REFUSALS = 4;

/** A projection that goes past events without touching its tables. */
export interface Passer {
  readonly checkpoint: Checkpoint;
  /** True while it moves its checkpoint itself. */
  readonly isCommitting: boolean;
  /** Called with what moves its checkpoint at the moment: it waits for the end before it does so itself. */
  moving(until: Promise<void>): void;
  moved(position: number): void;
  /** Called with the reason why its checkpoint cannot be moved, which is not that the database is away. */
  refused(reason: unknown): void;
}

/**
 * Positions up to which projections have nothing to commit. They are announced at once, in one message for all projections of a stream, and written now and then, in one statement for all
 * projections of a database. After a crash the events between are looked at again and passed over again.
 */
export class PassedPositions {
  static readonly #open = new WeakMap<Kysely<unknown>, PassedPositions>();

  readonly #db: Kysely<unknown>;
  readonly #passed = new Map<Passer, { position: number; refusals: number }>();
  readonly #told = new Map<NatsConnection, Map<string, PassedNotice & { readonly projections: string[] }>>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #writing: Promise<void> | undefined;

  private constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  static of(db: Kysely<unknown>): PassedPositions {
    const known = PassedPositions.#open.get(db) ?? new PassedPositions(db);
    PassedPositions.#open.set(db, known);
    return known;
  }

  /** Notes that a projection has nothing to commit up to a position. */
  note(passer: Passer, position: number, nats: NatsConnection): void {
    const known = this.#passed.get(passer);
    if (known) known.position = position;
    else this.#passed.set(passer, { position, refusals: 0 });
    this.#schedule(WaitingReaders.of(nats).needCheckpoints(passer.checkpoint.stream) ? WRITE_SOON_MS : WRITE_EVERY_MS);
    if (passer.checkpoint.state === 'live') this.#tell(passer.checkpoint, position, nats);
  }

  /** Writes what was noted of a projection that ends; what cannot be written is passed over again. */
  async settle(passer: Passer): Promise<void> {
    // Projections end together: one statement for all.
    await Promise.resolve();
    await this.#writing;
    if (this.#passed.has(passer)) await this.#write();
    this.#passed.delete(passer);
  }

  /** Forgets what was noted of a projection: it has moved its checkpoint itself, past that. */
  forget(passer: Passer): void {
    this.#passed.delete(passer);
  }

  #tell({ name, stream }: Checkpoint, position: number, nats: NatsConnection): void {
    const told = this.#told.get(nats) ?? new Map<string, PassedNotice & { readonly projections: string[] }>();
    const key = `${stream} ${position}`;
    const notice = told.get(key) ?? { stream: stream as EventStreamName, position, projections: [] };
    notice.projections.push(name);
    told.set(key, notice);
    if (this.#told.has(nats)) return;
    this.#told.set(nats, told);
    queueMicrotask(() => {
      this.#told.delete(nats);
      if (!nats.isClosed()) for (const one of told.values()) nats.publish(passedSubject(one.stream), JSON.stringify(one));
    });
  }

  #schedule(withinMs: number): void {
    if (this.#writing || this.#passed.size === 0 || performance.now() + withinMs >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = performance.now() + withinMs;
    this.#timer = setTimeout(() => void this.#write(), withinMs);
  }

  /** One statement at a time. */
  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#writing ??= this.#writeNow().finally(() => {
      this.#writing = undefined;
      this.#schedule(WRITE_EVERY_MS);
    });
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    const free = [...this.#passed].filter(([{ isCommitting }]) => !isCommitting).map(([passer, { position }]) => ({ passer, position }));
    if (free.length === 0) return;
    const done = Promise.withResolvers<void>();
    for (const { passer } of free) passer.moving(done.promise);
    try {
      const moved = await moveCheckpoints(this.#db, free);
      for (const { passer, position } of free)
        if (moved.has(keyOf(passer.checkpoint))) this.#moved(passer, position);
        else this.#refused(passer);
    } catch (error) {
      // While the database is away, which others report, what is noted waits.
      if (!isDatabaseUnavailable(error)) for (const { passer } of free) this.#refuse(passer, error);
    } finally {
      done.resolve();
    }
  }

  #moved(passer: Passer, position: number): void {
    passer.moved(position);
    if ((this.#passed.get(passer)?.position ?? 0) <= position) this.#passed.delete(passer);
  }

  #refused(passer: Passer): void {
    const noted = this.#passed.get(passer);
    if (!noted) return;
    noted.refusals += 1;
    if (noted.refusals >= REFUSALS) this.#refuse(passer, ownedElsewhere(passer.checkpoint.name));
  }

  #refuse(passer: Passer, reason: unknown): void {
    this.#passed.delete(passer);
    passer.refused(reason);
  }
}

const keyOf = ({ name, version, generation }: Pick<Checkpoint, 'name' | 'version' | 'generation'>): string =>
  `${name} ${version} ${generation}`;

/** Moves checkpoints that nobody holds at the moment, and answers which. Not waited for: a commit that is lost with the machine is done again. */
const moveCheckpoints = async (
  db: Kysely<unknown>,
  passers: readonly { readonly passer: Passer; readonly position: number }[],
): Promise<ReadonlySet<string>> => {
  const of = <T>(value: (checkpoint: Checkpoint) => T): T[] => passers.map(({ passer }) => value(passer.checkpoint));
  const { rows } = await sql<Pick<Checkpoint, 'name' | 'version' | 'generation'>>`
    with passed as (
      select * from unnest(${of(({ name }) => name)}::text[], ${of(({ version }) => version)}::int[], ${of(({ generation }) => generation)}::int[],
        ${of(({ fence }) => fence)}::bigint[], ${passers.map(({ position }) => position)}::bigint[]) as p(name, version, generation, fence, position)),
    free as materialized (
      select c.name, c.version, c.generation, p.position
      from chassis.projection_checkpoint c join passed p on p.name = c.name and p.version = c.version and p.generation = c.generation
      where c.fence = p.fence and c.state <> 'retired' for update of c skip locked),
    unwaited as materialized (select set_config('synchronous_commit', 'off', true))
    update chassis.projection_checkpoint c set position = greatest(c.position, f.position), updated_at = now() from free f, unwaited
    where c.name = f.name and c.version = f.version and c.generation = f.generation
    returning c.name, c.version, c.generation`.execute(db);
  return new Set(rows.map(keyOf));
};
