import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { startPlayback, stopPlayback, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { TEST_NOW_MS } from '../servers/test-gateway.js';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;

/** Answers what says that somebody plays something. */
export const withPlayback = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(startPlayback, async () => ({ result: { recorded: true }, positions: [] }))
    .handle(stopPlayback, async () => ({ result: {}, positions: [] }));

/**
 * Plays of the last hours, song 2 most often and song 1 last, and what two people are playing now. The counts of all times stay as the library's
 * songs say.
 */
export const seedPlayback = async (db: Kysely<ReadModel>): Promise<void> => {
  const plays = [2, 2, 3, 1].map((songId, n) => ({
    id: n + 1,
    user_id: 1 + (n % 2),
    song_id: songId,
    at_ms: TEST_NOW_MS - (10 - n) * HOUR_MS,
    skipped: false,
    client: 'spec',
  }));
  const skip = { id: 9, user_id: 2, song_id: 3, at_ms: TEST_NOW_MS - HOUR_MS, skipped: true, client: 'spec' };
  await db
    .insertInto('playback.play')
    .values([...plays, skip])
    .execute();
  const playing = (userId: number, client: string, objectId: number, secondsLeft: number) => ({
    user_id: userId,
    client,
    object_type: 'song',
    object_id: objectId,
    started_at_ms: TEST_NOW_MS - 60 * SECOND_MS - objectId,
    expires_at_ms: TEST_NOW_MS + secondsLeft * SECOND_MS,
  });
  await db
    .insertInto('playback.now_playing')
    .values([playing(1, 'spec & co', 1, 120), playing(2, '', 2, 30), playing(2, 'over', 3, -1), playing(2, 'gone', 999, 60)])
    .execute();
};
