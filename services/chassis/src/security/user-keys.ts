import type { UserId } from '@continuo/contracts';
import type { Sealer } from './sealer.js';

/** A user's key: present, never made or destroyed, or wrapped under a secret that this server does not have. */
export type UserKey = { readonly state: 'present'; readonly sealer: Sealer } | { readonly state: 'absent' } | { readonly state: 'locked' };

/**
 * One key per user for the personal data in the log. Destroying it is how a person is forgotten: the events stay, nobody can read them.
 */
export interface UserKeys {
  /**
   * The user's sealer; makes the key durable first when there is none, so that no event can outlive the key that it needs.
   * @throws SealBroken when the key was wrapped under another server secret
   */
  sealerFor(userId: UserId): Promise<Sealer>;
  /** Looks the key up without making one. */
  find(userId: UserId): Promise<UserKey>;
  /** Erases the key for good. Doing it twice is harmless. */
  destroy(userId: UserId): Promise<void>;
}
