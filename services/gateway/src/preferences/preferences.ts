import { projectedSubject, Rejection, type BuiltInPreference, type ReadModel } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { preferenceSnapshot, type PreferenceDefaults, type PreferenceRows, type PreferenceSnapshot } from './preference-snapshot.js';

/** Where the rows come from. */
export type PreferenceSource = () => Promise<PreferenceRows>;

/** Reads the values that were set, and the preferences of operators, out of the published read model. */
export const readModelPreferences =
  (db: Kysely<ReadModel>): PreferenceSource =>
  async () => {
    const [custom, values] = await Promise.all([
      db.selectFrom('social.preference').selectAll().orderBy('id').execute(),
      db.selectFrom('social.user_preference').selectAll().execute(),
    ]);
    return { custom, values };
  };

/** What the preferences work with. */
export interface PreferenceOptions {
  readonly source: PreferenceSource;
  readonly log: Logger;
  readonly now: () => number;
  readonly defaults?: PreferenceDefaults;
}

interface Loaded {
  readonly snapshot: PreferenceSnapshot;
  /** How many changes had been noticed when the reading began. */
  readonly change: number;
  readonly atMs: number;
}

/** Older snapshots are read again beside the requests, in case a notice was lost. */
const MAX_AGE_MS = 30_000;

/**
 * Everybody's preferences, in memory: a request costs no statement, and after a noticed change it waits for a fresh snapshot. While the database does not
 * answer, what was last known holds: nothing here opens a door.
 */
export class Preferences {
  readonly #options: PreferenceOptions;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;
  #change = 0;

  constructor(options: PreferenceOptions) {
    this.#options = options;
  }

  /** Tells that a preference has changed. */
  noteChange(): void {
    this.#change += 1;
  }

  /**
   * A snapshot that contains every noticed change.
   * @throws Rejection `unavailable` when none could be read yet
   */
  async current(): Promise<PreferenceSnapshot> {
    if (this.#loaded?.change === this.#change) {
      if (this.#options.now() - this.#loaded.atMs > MAX_AGE_MS) this.#renewBeside();
      return this.#loaded.snapshot;
    }
    const wanted = this.#change;
    try {
      let fresh = await this.#load();
      // The reading that was under way may have begun before the change.
      while (fresh.change < wanted) fresh = await this.#load();
      return fresh.snapshot;
    } catch (cause) {
      if (!this.#loaded) throw new Rejection('unavailable', 'the preferences cannot be read', undefined, { cause });
      this.#options.log.warn({ err: cause }, 'the preferences could not be read; the last known ones stay in use');
      return this.#loaded.snapshot;
    }
  }

  /** The value that holds for an account. */
  async preferenceOf(userId: number, name: BuiltInPreference): Promise<string> {
    return (await this.current()).of(userId, name);
  }

  /** Whether a switch is on for an account. */
  async isOn(userId: number, name: BuiltInPreference): Promise<boolean> {
    return (await this.current()).isOn(userId, name);
  }

  #renewBeside(): void {
    this.#load().catch((err: unknown) => {
      this.#options.log.warn({ err }, 'the preferences could not be read again; the last known ones stay in use');
    });
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<Loaded> {
    const { source, now, defaults } = this.#options;
    const change = this.#change;
    const loaded = { snapshot: preferenceSnapshot(await source(), defaults), change, atMs: now() };
    this.#loaded = loaded;
    return loaded;
  }
}

/** Tells preferences of every change of the read model; a lost connection counts as one, because notices may have been lost with it. */
export const followPreferences = (nats: NatsConnection, preferences: Preferences): (() => void) => {
  const subscription = nats.subscribe(projectedSubject('social-preferences'), { callback: () => preferences.noteChange() });
  const statuses = nats.status();
  const following = (async () => {
    for await (const { type } of statuses) if (type === 'reconnect') preferences.noteChange();
  })();
  return () => {
    subscription.unsubscribe();
    (statuses as { stop?: () => void }).stop?.();
    void following;
  };
};
