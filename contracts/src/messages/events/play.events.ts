import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { songId, userId } from '../ids.js';
import { playableType } from '../playable.js';
import { epochMs } from '../track.js';

const durationMs = z.int().nonnegative();

/**
 * A user listened to a song. `playedAtMs` is when it began: the client's time for plays that were sent in later. What only plays under way
 * have is absent from those.
 */
export const songPlayed = defineEvent(
  'SongPlayed',
  z.object({
    userId,
    songId,
    playedAtMs: epochMs,
    client: z.string(),
    /** Length of the song: the same song again before that is the same play. */
    durationMs: durationMs.optional(),
    /** Another song by the same client before that turns this play into a skip. */
    skipWindowMs: durationMs.optional(),
    /** Until when the client counts as playing it. */
    playingUntilMs: epochMs.optional(),
  }),
);

/** A play turned out to be a skip: the client went on to another song. User, song, client and `playedAtMs` name the play that this replaces. */
export const songSkipped = defineEvent(
  'SongSkipped',
  z.object({ userId, songId, playedAtMs: epochMs, client: z.string(), skippedAtMs: epochMs }),
);

/** A client began to play something, which does not count as a play by itself; it replaces what the client played before. */
export const playbackStarted = defineEvent(
  'PlaybackStarted',
  z.object({
    userId,
    client: z.string(),
    objectType: playableType,
    objectId: z.int().positive(),
    startedAtMs: epochMs,
    playingUntilMs: epochMs,
  }),
);

/** A client plays nothing any more. */
export const playbackStopped = defineEvent('PlaybackStopped', z.object({ userId, client: z.string() }));

/**
 * A user watched a video, or listened to an episode of a podcast, since `playedAtMs`. Nothing turns it into a skip. `playingUntilMs` is there when it is what the
 * client plays now.
 */
export const mediaPlayed = defineEvent(
  'MediaPlayed',
  z.object({
    userId,
    client: z.string(),
    objectType: playableType.exclude(['song']),
    objectId: z.int().positive(),
    playedAtMs: epochMs,
    durationMs: durationMs.optional(),
    playingUntilMs: epochMs.optional(),
  }),
);

/** A user took a copy of something, which is no play. */
export const mediaDownloaded = defineEvent(
  'MediaDownloaded',
  z.object({ userId, client: z.string(), objectType: playableType, objectId: z.int().positive(), downloadedAtMs: epochMs }),
);

/** Plays of a user until then no longer count, for nobody: neither plays nor skips nor downloads. The song playing now goes on. */
export const playsCleared = defineEvent('PlaysCleared', z.object({ userId }));

export const playEvents = [songPlayed, songSkipped, playbackStarted, playbackStopped, mediaPlayed, mediaDownloaded, playsCleared] as const;
export type PlayEvent = EventOf<(typeof playEvents)[number]>;
