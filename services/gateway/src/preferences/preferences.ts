import type { BuiltInPreference, ReadModel } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ReadSide } from '../reads/database/read-side-index.js';
import { followProjections, SnapshotReader } from '../reads/database/snapshot-reader.js';
import { preferenceSnapshot, type PreferenceDefaults, type PreferenceRows, type PreferenceSnapshot } from './preference-snapshot.js';

/** Reads the rows of a snapshot. */
export type PreferenceSource = () => Promise<PreferenceRows>;

const PROJECTION = 'social-preferences';

/** Reads the values and custom preferences from the read model, once it has their tables. */
export const readModelPreferences =
  (db: Kysely<ReadModel>, readSide?: Pick<ReadSide, 'caughtUp'>): PreferenceSource =>
  async () => {
    await readSide?.caughtUp([PROJECTION]);
    const [custom, values] = await Promise.all([
      db.selectFrom('social.preference').selectAll().orderBy('id').execute(),
      db.selectFrom('social.user_preference').selectAll().execute(),
    ]);
    return { custom, values };
  };

/** Options of {@link Preferences}. */
export interface PreferenceOptions {
  readonly source: PreferenceSource;
  readonly log: Logger;
  readonly now: () => number;
  readonly defaults?: PreferenceDefaults;
}

/**
 * Preferences of all accounts, in memory. While the database is unavailable the last known values hold.
 */
export class Preferences extends SnapshotReader<PreferenceSnapshot> {
  constructor({ source, defaults, log, now }: PreferenceOptions) {
    super({ read: async () => preferenceSnapshot(await source(), defaults), what: 'the preferences', log, now, unreadable: 'keep' });
  }

  /** Effective value for an account. */
  async preferenceOf(userId: number, name: BuiltInPreference): Promise<string> {
    return (await this.current()).of(userId, name);
  }

  /** True when a switch is on for an account. */
  async isOn(userId: number, name: BuiltInPreference): Promise<boolean> {
    return (await this.current()).isOn(userId, name);
  }
}

/** Refreshes the preferences on every change of the read model. */
export const followPreferences = (nats: NatsConnection, preferences: Preferences): (() => void) =>
  followProjections(nats, [PROJECTION], preferences);

/** Reads the preferences of all accounts. */
export interface HasPreferences {
  readonly preferences: Preferences;
}
