import { every, isDatabaseUnavailable } from '@continuo/chassis';
import { eventSubject, projectedSubject, Rejection, type RelayLinkTable, type RelayService } from '@continuo/contracts';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { setTimeout as delay } from 'node:timers/promises';
import type { CountLinks } from '../relay-metrics.js';
import { CursorMoved } from './relay-cursors.js';
import { LinkLost, type LinkKey, type RelayJournal } from './relay-journal.js';
import { RelayTurn, type RelayTurnDependencies } from './relay-turn.js';

/** Dependencies of the supervisor. */
export interface SupervisorOptions {
  readonly nats: NatsConnection;
  readonly turns: RelayTurnDependencies;
  /** Turns of this replica at the same time. */
  readonly concurrency: number;
  readonly drainTimeoutMs: number;
}

/** Lets a link have its turn soon, unless it waits; should the notice get lost, it is found with the next sweep. */
export const wakeLink = (nats: NatsConnection, link: LinkKey): void => nats.publish(HURRIED, keyOf(link));

/** Lets a link have its turn at once, as if nothing had failed; should the notice get lost, it is found a little later. */
export const retryLinkNow = async (nats: NatsConnection, journal: Pick<RelayJournal, 'hurry'>, link: LinkKey): Promise<void> => {
  await journal.hurry(link);
  wakeLink(nats, link);
};

/** A link as this replica knows it. */
interface Entry {
  link: RelayLinkTable;
  timer: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  dueAtMs: number;
  isRunning: boolean;
  /** Something happened during the turn. */
  again: boolean;
  /** Failed tries wait. */
  isWaiting: boolean;
  /** Turns in a row that ended in a fault of this server. */
  faults: number;
}

const PROJECTION = 'playback-relay';
/** Notice to all replicas that a link should have its turn; the body is its key. */
const HURRIED = 'relay.hurried';
/** The list is read again so often, in case a notice was lost. */
const RENEW_MS = 30_000;
/** Links whose replica died before their time came are found so often. */
const DUE_MS = 5000;
/** Each link has a turn so often, in case word of a play was lost. */
const SWEEP_MS = 300_000;
const PRUNE_MS = 3_600_000;
/** Events of one command come together. */
const GATHER_MS = 100;
const AFTER_FAULT_MS = 5000;
const MOST_AFTER_FAULT_MS = 600_000;
const MAX_TIMER_MS = 3_600_000;

const keyOf = ({ user_id, service }: LinkKey): string => `${service}.${user_id}`;

/**
 * Gives each link its turns: when its account plays something, and when something that waited is ready. Every replica does so for every link; the journal lets one
 * of them have the turn. The log is the queue: what a service has not taken yet is further back in it.
 */
export class RelaySupervisor {
  readonly #options: SupervisorOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #listening = new Map<number, Subscription>();
  readonly #abort = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #queue: Entry[] = [];
  #endTimers: (() => void)[] = [];
  #subscriptions: readonly Subscription[] = [];
  #renewing: Promise<void> | undefined;
  #renewAgain = false;
  #stopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Counts the links. */
  readonly count: CountLinks = () => {
    const counts = new Map<string, { service: RelayService; state: 'on' | 'waiting' | 'refused'; count: number }>();
    for (const { link, isWaiting } of this.#entries.values()) {
      const state = link.enabled ? (isWaiting ? 'waiting' : 'on') : 'refused';
      const key = `${link.service} ${state}`;
      const known = counts.get(key) ?? { service: link.service, state, count: 0 };
      counts.set(key, { ...known, count: known.count + 1 });
    }
    return [...counts.values()];
  };

  start(): void {
    const { nats, turns } = this.#options;
    this.#subscriptions = [
      nats.subscribe(projectedSubject(PROJECTION), { callback: () => void this.#renew() }),
      nats.subscribe(HURRIED, { callback: (_, message) => this.#hurried(message.string()) }),
    ];
    this.#endTimers = [
      every(RENEW_MS, () => this.#renew()),
      every(DUE_MS, () => this.#quietly('links that are due cannot be found', () => this.#findDue())),
      every(SWEEP_MS, () => this.#sweep()),
      every(PRUNE_MS, () => this.#quietly('what became of plays cannot be shortened', () => turns.journal.prune(turns.now()))),
    ];
    void this.#renew();
  }

  /** Begins no more turns, lets those at work end, and breaks them off when they take too long. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    for (const end of this.#endTimers) end();
    for (const entry of this.#entries.values()) clearTimeout(entry.timer);
    for (const subscription of this.#listening.values()) subscription.unsubscribe();
    await this.#renewing;
    const waited = new AbortController();
    const late = delay(this.#options.drainTimeoutMs, undefined, { signal: waited.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running), late]);
    waited.abort();
    this.#abort.abort(new Error('the service stops'));
    await Promise.all(this.#running);
  }

  async #quietly(complaint: string, work: () => Promise<void>): Promise<void> {
    if (this.#stopping) return;
    await work().catch((err: unknown) => this.#options.turns.log.warn({ err }, complaint));
  }

  /** Reads the links and follows them; a notice that comes meanwhile leads to another reading. */
  #renew(): Promise<void> | undefined {
    if (this.#stopping) return undefined;
    if (this.#renewing) {
      this.#renewAgain = true;
      return this.#renewing;
    }
    this.#renewAgain = false;
    this.#renewing = this.#follow()
      .catch((err: unknown) => this.#options.turns.log.warn({ err }, 'failed to read scrobble links; trying again'))
      .finally(() => {
        this.#renewing = undefined;
        if (this.#renewAgain) void this.#renew();
      });
    return this.#renewing;
  }

  async #follow(): Promise<void> {
    const links = await this.#options.turns.journal.links();
    const present = new Map(links.map((link) => [keyOf(link), link]));
    for (const [key, entry] of this.#entries) {
      if (present.has(key)) continue;
      clearTimeout(entry.timer);
      this.#entries.delete(key);
      // What was left waits no more.
      this.#options.turns.metrics.waiting.note(entry.link, 0);
    }
    for (const [key, link] of present) {
      const known = this.#entries.get(key);
      const isNews = known?.link.linked_at_ms !== link.linked_at_ms || known.link.enabled !== link.enabled;
      const entry = known ?? { link, timer: undefined, dueAtMs: Infinity, isRunning: false, again: false, isWaiting: false, faults: 0 };
      entry.link = link;
      this.#entries.set(key, entry);
      if (isNews && link.enabled) this.#schedule(entry, GATHER_MS);
    }
    this.#listen(new Set(links.filter(({ enabled }) => enabled).map(({ user_id }) => user_id)));
  }

  /** Messages of a log are messages like others, and reach whoever listens; one that gets lost is found by the next sweep. */
  #listen(userIds: ReadonlySet<number>): void {
    for (const [userId, subscription] of this.#listening) {
      if (userIds.has(userId)) continue;
      subscription.unsubscribe();
      this.#listening.delete(userId);
    }
    for (const userId of userIds) {
      if (this.#listening.has(userId)) continue;
      const callback = (): void => this.#played(userId);
      this.#listening.set(userId, this.#options.nats.subscribe(eventSubject('playback', 'plays', userId), { callback }));
    }
  }

  #played(userId: number): void {
    for (const entry of this.#entries.values()) if (entry.link.user_id === userId) this.#schedule(entry, GATHER_MS);
  }

  #hurried(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) this.#schedule(entry, 0);
  }

  async #findDue(): Promise<void> {
    if (this.#entries.size === 0) return;
    const { journal, now } = this.#options.turns;
    for (const key of await journal.due(now())) {
      const entry = this.#entries.get(keyOf(key));
      if (entry && !entry.isRunning) this.#schedule(entry, 0);
    }
  }

  #sweep(): void {
    for (const entry of this.#entries.values()) if (!entry.isRunning) this.#schedule(entry, Math.random() * SWEEP_MS);
  }

  /** Gives a link a turn after a while, or when it is due anyway, whichever comes first. */
  #schedule(entry: Entry, inMs: number): void {
    if (this.#stopping || !entry.link.enabled) return;
    if (entry.isRunning) {
      entry.again = true;
      return;
    }
    const dueAtMs = this.#options.turns.now() + inMs;
    if (dueAtMs >= entry.dueAtMs) return;
    clearTimeout(entry.timer);
    entry.dueAtMs = dueAtMs;
    entry.timer = setTimeout(() => this.#begin(entry), Math.min(inMs, MAX_TIMER_MS));
    entry.timer.unref();
  }

  #begin(entry: Entry): void {
    entry.dueAtMs = Infinity;
    if (this.#stopping || this.#entries.get(keyOf(entry.link)) !== entry) return;
    entry.isRunning = true;
    entry.again = false;
    if (this.#running.size >= this.#options.concurrency) {
      this.#queue.push(entry);
      return;
    }
    const running = this.#turn(entry).finally(() => {
      this.#running.delete(running);
      this.#beginNext();
    });
    this.#running.add(running);
  }

  #beginNext(): void {
    while (this.#queue.length > 0 && this.#running.size < this.#options.concurrency) {
      const next = this.#queue.shift();
      if (next) this.#begin(next);
    }
  }

  async #turn(entry: Entry): Promise<void> {
    const inMs = await this.#take(entry).catch((error: unknown) => this.#faultOf(entry, error));
    entry.isRunning = false;
    // Unlinked during its turn, which counted what waits.
    if (!this.#entries.has(keyOf(entry.link))) this.#options.turns.metrics.waiting.note(entry.link, 0);
    if (entry.again && entry.faults === 0) this.#schedule(entry, GATHER_MS);
    else if (inMs !== null) this.#schedule(entry, inMs);
  }

  /** Says what went wrong; answers the pause before the next turn, which grows: a fault behind a request would send that again and again. */
  #faultOf(entry: Entry, error: unknown): number {
    const { link } = entry;
    const { log } = this.#options.turns;
    const facts = { userId: link.user_id, service: link.service };
    if (this.#abort.signal.aborted) return AFTER_FAULT_MS;
    if (error instanceof LinkLost || error instanceof CursorMoved) log.info({ ...facts, reason: error.message }, 'a turn ended early');
    else if (isAway(error)) log.warn({ ...facts, err: error }, 'a service of the server is unavailable; plays are scrobbled later');
    else log.error({ ...facts, err: error }, 'failed to scrobble plays; trying again');
    entry.faults += 1;
    return Math.min(MOST_AFTER_FAULT_MS, AFTER_FAULT_MS * 2 ** (entry.faults - 1));
  }

  /** Takes the link's turn, if nobody else has it; answers after how long the next one should be, ms. */
  async #take(entry: Entry): Promise<number | null> {
    const { turns } = this.#options;
    const { journal, leaseMs, now } = turns;
    const { link } = entry;
    const held = await journal.take(link, leaseMs);
    if (!held) return null;
    if ('busyMs' in held) return held.busyMs + GATHER_MS;
    let nextAtMs: number | null = now() + AFTER_FAULT_MS;
    const turn = new RelayTurn(turns, link, held, this.#abort.signal);
    try {
      nextAtMs = await turn.run();
      entry.faults = 0;
    } finally {
      entry.isWaiting = turn.isFailing;
      await journal.release(held, nextAtMs, turn.restMs);
    }
    return nextAtMs === null ? null : Math.max(0, nextAtMs - now());
  }
}

const UNDEFINED_TABLE = '42P01';

/** A view of another service may not be there yet. */
const isAway = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  (error instanceof Rejection && error.code === 'unavailable') ||
  (error as { code?: unknown } | undefined)?.code === UNDEFINED_TABLE;
