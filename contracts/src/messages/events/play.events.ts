import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { songId, userId } from '../ids.js';
import { epochMs } from '../track.js';

/** A user listened to a song. `playedAtMs` is the client's time for plays that were sent in later. */
export const songPlayed = defineEvent('SongPlayed', z.object({ userId, songId, playedAtMs: epochMs, client: z.string() }));

export const playEvents = [songPlayed] as const;
export type PlayEvent = EventOf<(typeof playEvents)[number]>;
