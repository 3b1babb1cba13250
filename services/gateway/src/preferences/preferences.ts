import type { BuiltInPreference, ReadModel } from '@continuo/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ReadSide } from '../read-replica/index.js';
import { followProjections, SnapshotReader } from '../reads/snapshot-reader.js';
import { preferenceSnapshot, type PreferenceDefaults, type PreferenceRows, type PreferenceSnapshot } from './preference-snapshot.js';

/** Where the rows come from. */
export type PreferenceSource = () => Promise<PreferenceRows>;

const PROJECTION = 'social-preferences';

/** Reads the values that were set, and the preferences of operators, out of the published read model, once that has them. */
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

/** What the preferences work with. */
export interface PreferenceOptions {
  readonly source: PreferenceSource;
  readonly log: Logger;
  readonly now: () => number;
  readonly defaults?: PreferenceDefaults;
}

/**
 * Everybody's preferences, in memory. While the database does not answer, what was last known holds: nothing here opens a door.
 */
export class Preferences extends SnapshotReader<PreferenceSnapshot> {
  constructor({ source, defaults, log, now }: PreferenceOptions) {
    super({ read: async () => preferenceSnapshot(await source(), defaults), what: 'the preferences', log, now, unreadable: 'keep' });
  }

  /** The value that holds for an account. */
  async preferenceOf(userId: number, name: BuiltInPreference): Promise<string> {
    return (await this.current()).of(userId, name);
  }

  /** Whether a switch is on for an account. */
  async isOn(userId: number, name: BuiltInPreference): Promise<boolean> {
    return (await this.current()).isOn(userId, name);
  }
}

/** Tells preferences of every change of the read model. */
export const followPreferences = (nats: NatsConnection, preferences: Preferences): (() => void) =>
  followProjections(nats, [PROJECTION], preferences);
