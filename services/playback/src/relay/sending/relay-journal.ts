import { randomUUID } from 'node:crypto';
import type {
  RecordedEvent,
  RelayedPlayTable,
  RelayLinkTable,
  RelayProgressTable,
  RelayReplayTable,
  RelayService,
} from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

interface Tables {
  'playback.relay_link': RelayLinkTable;
  'playback.relay_progress': RelayProgressTable;
  'playback.relayed_play': RelayedPlayTable;
  'playback.relay_replay': RelayReplayTable;
}

/** Migration that makes the tables beside the log: who works on what, what came of plays, what is to be sent once more. */
export const relayJournalMigration = {
  name: '20261121-relay-journal',
  statements: [
    `create table relay_progress (
      user_id integer not null,
      service text not null,
      run integer not null,
      holder text,
      held_until_ms bigint not null default 0,
      next_at_ms bigint,
      attempts integer not null default 0,
      fault text,
      taken bigint not null default 0,
      last_taken_at_ms bigint,
      playing_position bigint not null default 0,
      primary key (user_id, service)
    )`,
    'create index relay_progress_by_next on relay_progress (next_at_ms) where next_at_ms is not null',
    `create table relayed_play (
      user_id integer not null,
      service text not null,
      position bigint not null,
      song_id integer not null,
      played_at_ms bigint not null,
      outcome text not null,
      reason text,
      at_ms bigint not null,
      primary key (user_id, service, position)
    )`,
    'create index relayed_play_by_time on relayed_play (at_ms)',
    `create table relay_replay (
      user_id integer not null,
      service text not null,
      position bigint not null,
      event text not null,
      primary key (user_id, service, position)
    )`,
  ],
} as const;

/** Names a link. */
export interface LinkKey {
  readonly user_id: number;
  readonly service: RelayService;
}

/** A link that this replica has taken for a turn. */
export interface HeldLink extends LinkKey {
  readonly holder: string;
  readonly progress: RelayProgressTable;
}

/** Change of a link's progress; absent fields stay. */
export type ProgressChange = Partial<Omit<RelayProgressTable, 'user_id' | 'service' | 'holder' | 'run'>>;

/** Thrown when another replica holds the link by now, or nobody may; the former holder must stop. */
export class LinkLost extends Error {
  override readonly name = 'LinkLost';
  constructor() {
    super('another replica has taken this link, or it is gone');
  }
}

/** A play that was put aside and is to be told again. */
export interface Replay {
  readonly event: RecordedEvent;
  /** Another one each time that it is asked for. */
  readonly version: string;
}

/** One sender for each link, over all replicas, and what is known of its work. Times of leases are those of the database. */
export interface RelayJournal {
  links(): Promise<readonly RelayLinkTable[]>;
  /** Takes a link for `leaseMs`; how long somebody else still has it, when somebody has; undefined when the link is gone or its credential was refused. */
  take(link: LinkKey & { readonly run: number }, leaseMs: number): Promise<HeldLink | { readonly busyMs: number } | undefined>;
  /** Goes on holding a link. @throws LinkLost also when the link has been removed or its credential refused */
  keep(held: HeldLink, leaseMs: number): Promise<void>;
  /** @throws LinkLost */
  change(held: HeldLink, change: ProgressChange): Promise<void>;
  /** Lets a link go, after `restMs` in which nobody may take it; nothing when it is somebody else's by now. */
  release(held: HeldLink, nextAtMs: number | null, restMs: number): Promise<void>;
  /** Records outcomes of plays. */
  note(rows: readonly RelayedPlayTable[]): Promise<void>;
  /** Links that should have been worked on by now, and that nobody works on. */
  due(nowMs: number): Promise<readonly LinkKey[]>;
  /** Lets a link have its turn at once, as if nothing had failed. */
  hurry(link: LinkKey): Promise<void>;
  replays(link: LinkKey, limit: number): Promise<readonly Replay[]>;
  addReplay(link: LinkKey, event: RecordedEvent): Promise<void>;
  /** Forgets replays, but for those that have been asked for again meanwhile. */
  endReplays(link: LinkKey, replays: readonly Replay[]): Promise<void>;
  /** Forgets a link and what became of its plays. */
  forget(link: LinkKey): Promise<void>;
  /** Forgets what is old, and of each link what is more than enough. */
  prune(nowMs: number): Promise<void>;
}

const KEPT_MS = 30 * 86_400_000;
const ROWS_PER_STATEMENT = 1000;
/** The transaction that wrote a row last. */
const ROW_VERSION = sql<string>`xmin::text`;
const DB_NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The journal in Postgres. It is no part of the log: without it, links go on where their cursors are. */
export class PostgresRelayJournal implements RelayJournal {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  links(): Promise<readonly RelayLinkTable[]> {
    return this.#db.selectFrom('playback.relay_link').selectAll().execute();
  }

  async take(
    { user_id, service, run }: LinkKey & { readonly run: number },
    leaseMs: number,
  ): Promise<HeldLink | { busyMs: number } | undefined> {
    const holder = randomUUID();
    const { rows } = await sql<RelayProgressTable>`
      insert into playback.relay_progress as p (user_id, service, run, holder, held_until_ms)
      select user_id, service, run, ${holder}::text, ${DB_NOW} + ${leaseMs} from playback.relay_link
      where user_id = ${user_id} and service = ${service} and run = ${run} and enabled
      on conflict (user_id, service) do update set
        holder = excluded.holder, held_until_ms = excluded.held_until_ms, run = excluded.run,
        attempts = case when p.run = excluded.run then p.attempts else 0 end,
        fault = case when p.run = excluded.run then p.fault end,
        next_at_ms = case when p.run = excluded.run then p.next_at_ms end,
        taken = case when p.run = excluded.run then p.taken else 0 end,
        last_taken_at_ms = case when p.run = excluded.run then p.last_taken_at_ms end
      where p.holder is null or p.held_until_ms <= ${DB_NOW}
      returning p.*`.execute(this.#db);
    const [progress] = rows;
    if (progress) return { user_id, service, holder, progress };
    const held = await this.#db
      .selectFrom('playback.relay_progress')
      .select(sql<number>`greatest(0, held_until_ms - ${DB_NOW})`.as('busyMs'))
      .where('user_id', '=', user_id)
      .where('service', '=', service)
      // A turn that began beside the unlinking may have left its progress behind; that is nobody's link.
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('playback.relay_link')
            .select('run')
            .where('user_id', '=', user_id)
            .where('service', '=', service)
            .where('run', '=', run)
            .where('enabled', '=', true),
        ),
      )
      .executeTakeFirst();
    return held;
  }

  async keep({ user_id, service, holder }: HeldLink, leaseMs: number): Promise<void> {
    const { numAffectedRows } = await sql`update playback.relay_progress p set held_until_ms = ${DB_NOW} + ${leaseMs}
      from playback.relay_link l
      where p.user_id = ${user_id} and p.service = ${service} and p.holder = ${holder}
        and l.user_id = p.user_id and l.service = p.service and l.run = p.run and l.enabled`.execute(this.#db);
    if (numAffectedRows !== 1n) throw new LinkLost();
  }

  async change({ user_id, service, holder }: HeldLink, change: ProgressChange): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('playback.relay_progress')
      .set(change)
      .where('user_id', '=', user_id)
      .where('service', '=', service)
      .where('holder', '=', holder)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new LinkLost();
  }

  async release({ user_id, service, holder }: HeldLink, nextAtMs: number | null, restMs: number): Promise<void> {
    const hold = restMs > 0 ? { held_until_ms: sql<number>`${DB_NOW} + ${Math.ceil(restMs)}` } : { holder: null, held_until_ms: 0 };
    await this.#db
      .updateTable('playback.relay_progress')
      .set({ ...hold, next_at_ms: nextAtMs === null ? null : Math.round(nextAtMs) })
      .where('user_id', '=', user_id)
      .where('service', '=', service)
      .where('holder', '=', holder)
      .execute();
  }

  async note(rows: readonly RelayedPlayTable[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
      await this.#db
        .insertInto('playback.relayed_play')
        .values(rows.slice(from, from + ROWS_PER_STATEMENT))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'service', 'position']).doUpdateSet((eb) => ({
            outcome: eb.ref('excluded.outcome'),
            reason: eb.ref('excluded.reason'),
            at_ms: eb.ref('excluded.at_ms'),
          })),
        )
        .execute();
    }
  }

  async due(nowMs: number): Promise<readonly LinkKey[]> {
    return this.#db
      .selectFrom('playback.relay_progress')
      .select(['user_id', 'service'])
      .where('next_at_ms', '<=', nowMs)
      .where((eb) => eb.or([eb('holder', 'is', null), eb('held_until_ms', '<=', DB_NOW)]))
      .limit(ROWS_PER_STATEMENT)
      .execute();
  }

  async hurry({ user_id, service }: LinkKey): Promise<void> {
    await this.#db
      .updateTable('playback.relay_progress')
      .set({ next_at_ms: 0, attempts: 0, fault: null })
      .where('user_id', '=', user_id)
      .where('service', '=', service)
      .execute();
  }

  async replays({ user_id, service }: LinkKey, limit: number): Promise<readonly Replay[]> {
    const rows = await this.#db
      .selectFrom('playback.relay_replay')
      .select(['event', ROW_VERSION.as('version')])
      .where('user_id', '=', user_id)
      .where('service', '=', service)
      .orderBy('position')
      .limit(limit)
      .execute();
    return rows.map(({ event, version }) => ({ event: JSON.parse(event) as RecordedEvent, version }));
  }

  async addReplay({ user_id, service }: LinkKey, event: RecordedEvent): Promise<void> {
    await this.#db
      .insertInto('playback.relay_replay')
      .values({ user_id, service, position: event.position, event: JSON.stringify(event) })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'service', 'position']).doUpdateSet((eb) => ({ event: eb.ref('excluded.event') })),
      )
      .execute();
  }

  async endReplays({ user_id, service }: LinkKey, replays: readonly Replay[]): Promise<void> {
    for (const { event, version } of replays)
      await this.#db
        .deleteFrom('playback.relay_replay')
        .where('user_id', '=', user_id)
        .where('service', '=', service)
        .where('position', '=', event.position)
        .where(ROW_VERSION, '=', version)
        .execute();
  }

  async forget({ user_id, service }: LinkKey): Promise<void> {
    for (const table of ['playback.relay_progress', 'playback.relayed_play', 'playback.relay_replay'] as const)
      await this.#db.deleteFrom(table).where('user_id', '=', user_id).where('service', '=', service).execute();
  }

  async prune(nowMs: number): Promise<void> {
    await this.#db
      .deleteFrom('playback.relayed_play')
      .where('at_ms', '<', nowMs - KEPT_MS)
      .execute();
  }
}
