import type { UserId } from '@continuo/contracts';
import { claimOn, type IdempotencyRecord, type IdempotencyStore } from '../../src/apis/manage/idempotency/idempotency.js';
import type { LastSeen } from '../../src/auth/sessions/last-seen.js';
import { PlayingSessions, type PlayingSessionStore } from '../../src/features/playback/playing-session-store.js';
import { isReporting, type PlayingSession } from '../../src/features/playback/playing-session.js';

/** Times at which accounts were last seen, of one process alone. */
export const inMemoryLastSeen = (now: () => number): LastSeen => {
  const seen = new Map<UserId | string, number>();
  return {
    note: (id) => void seen.set(id, now()),
    atMs: (id) => seen.get(id),
    noteKey: (keyId) => void seen.set(keyId, now()),
    keyAtMs: (keyId) => seen.get(keyId),
  };
};

/** Requests with an idempotency key, of one process alone. */
export const inMemoryIdempotency = (now: () => number): IdempotencyStore => {
  const records = new Map<string, IdempotencyRecord>();
  return {
    claim: async (key, fingerprint) => {
      const known = records.get(key);
      const claim = known && claimOn(known, fingerprint, now());
      if (claim) return claim;
      const record = { fingerprint, startedAtMs: now() };
      records.set(key, record);
      return {
        kind: 'new',
        finish: async (answer) => void records.set(key, { ...record, answer }),
        release: async () => void records.delete(key),
      };
    },
  };
};

/** Sessions of one process alone; stores that get the same `shared` act as one. */
export const inMemoryPlaying = (now: () => number, shared: PlayingSessions = new PlayingSessions()): PlayingSessionStore => ({
  of: (player) => shared.get(player),
  all: (userId) => shared.all(userId),
  change: async (player, change) => {
    let known: PlayingSession | undefined;
    let next: PlayingSession | undefined;
    do {
      known = shared.get(player);
      next = await change(known);
      if (!next) return;
    } while (shared.get(player) !== known);
    const oldest = shared.crowdedOut(player);
    if (oldest) shared.delete(oldest);
    shared.set(next);
  },
  isReporting: (player) => {
    const known = shared.get(player);
    return known !== undefined && isReporting(known, now());
  },
  close: async () => undefined,
});
