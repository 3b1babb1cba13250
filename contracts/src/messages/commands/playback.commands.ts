import { z } from 'zod';
import { defineCommand } from '../define.js';
import { songId, userId } from '../ids.js';
import { playableType } from '../playable.js';
import { epochMs } from '../track.js';

const client = z.string().max(255);

/**
 * Records plays of songs by one user, in the order given. The same song by the same client at the same time counts once; so does the same one less than
 * `durationMs` apart, where that is said.
 */
export const recordPlays = defineCommand(
  'playback',
  'record-plays',
  z.object({
    userId,
    client,
    plays: z
      .array(z.object({ songId, playedAtMs: epochMs, durationMs: z.int().nonnegative().optional() }))
      .min(1)
      .max(1000),
  }),
  z.object({ recorded: z.int() }),
);

/**
 * A client plays something, since `startedAtMs`. With `play` it counts: unless the user played the same one less than its
 * length before. One with a `skipWindowMs` has just begun: a play by the same client that began less than its own window before becomes a skip. One without it was said to have been
 * played: it skips nothing, and nothing makes a skip of it. With `isNow` it is what the client is playing until it ends. `recorded` tells whether a play was added.
 */
export const startPlayback = defineCommand(
  'playback',
  'start-playback',
  z.object({
    userId,
    client,
    objectType: playableType,
    objectId: z.int().positive(),
    startedAtMs: epochMs,
    durationMs: z.int().nonnegative(),
    isNow: z.boolean(),
    play: z.object({ skipWindowMs: z.int().nonnegative().optional() }).optional(),
  }),
  z.object({ recorded: z.boolean() }),
);

/**
 * A client no longer plays this; nothing when it plays something else by now. With `heard` that was enough for a play, since `startedAtMs`: it counts, unless it
 * has been counted before. `recorded` tells whether a play was added.
 */
export const stopPlayback = defineCommand(
  'playback',
  'stop-playback',
  z.object({
    userId,
    client,
    objectType: playableType,
    objectId: z.int().positive(),
    heard: z.object({ startedAtMs: epochMs, durationMs: z.int().nonnegative() }).optional(),
  }),
  z.object({ recorded: z.boolean().default(false) }),
);

/** Notes that a client fetched a file to keep it, which is no play. The same file by the same client counts once within ten minutes, however many parts it is fetched in. */
export const recordDownload = defineCommand(
  'playback',
  'record-download',
  z.object({ userId, client, objectType: playableType, objectId: z.int().positive(), downloadedAtMs: epochMs }),
  z.object({ recorded: z.boolean() }),
);

/** Forgets what a user has played, out of every count; nothing when there is nothing to forget. */
export const clearPlays = defineCommand('playback', 'clear-plays', z.object({ userId }), z.object({}));
