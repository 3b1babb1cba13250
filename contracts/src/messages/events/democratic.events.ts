import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { songId, userId } from '../ids.js';
import { epochMs } from '../track.js';

/** Number of the list that everybody votes on; play addresses name it as `demo_id`. */
export const DEMOCRATIC_LIST = 1;

/** Number of a list that is voted on. */
export const democraticListId = z.int().positive();

const ofList = { listId: democraticListId, songId };

/** A user wants to hear the song. Counts until the song is played, or the user takes it back; once per user. */
export const songVotedFor = defineEvent('SongVotedFor', z.object({ ...ofList, userId, votedAtMs: epochMs }));

/** The user takes the vote back. */
export const songVoteWithdrawn = defineEvent('SongVoteWithdrawn', z.object({ ...ofList, userId }));

/** The song's turn came: whoever voted for it got what they wanted, and all its votes are used up. */
export const votedSongPlayed = defineEvent('VotedSongPlayed', z.object({ ...ofList, playedAtMs: epochMs }));

/** A client plays its next song of the list: a song with votes, or the fallback when nobody votes. */
export const democraticTurnTaken = defineEvent(
  'DemocraticTurnTaken',
  z.object({ ...ofList, userId, client: z.string(), startedAtMs: epochMs, durationMs: z.int().nonnegative() }),
);

export type DemocraticSongEvent = EventOf<typeof songVotedFor | typeof songVoteWithdrawn | typeof votedSongPlayed>;

export type DemocraticListenerEvent = EventOf<typeof democraticTurnTaken>;
