import { z } from 'zod';
import { defineCommand } from '../define.js';
import { democraticListId } from '../events/democratic.events.js';
import { songId, userId } from '../ids.js';

const vote = { listId: democraticListId, userId, songId };

/**
 * Votes for a song, once per user. A song that was played less than `cooldownMs` ago has to wait: `democratic.cooling`.
 */
export const voteForSong = defineCommand(
  'playback',
  'vote-for-song',
  z.object({ ...vote, cooldownMs: z.int().nonnegative().default(0) }),
  z.object({}),
);

/** Takes a vote back; nothing when there is none. */
export const withdrawVote = defineCommand('playback', 'withdraw-vote', z.object(vote), z.object({}));

/** Largest number of songs to choose from. */
export const MAX_TURN_CANDIDATES = 100;

const playable = z.object({ songId, durationMs: z.int().nonnegative() });

/**
 * Answers what a listener's client plays of the list, and moves it on. `request` is what it asks for: `fresh` always takes the next song, `first-part` only
 * when what it plays is over, `later-part` never does. The next song is the first of `candidates` that has votes still, which are used up by that; else
 * `otherwise`. `songId` is null when there is nothing to play.
 */
export const takeDemocraticTurn = defineCommand(
  'playback',
  'take-democratic-turn',
  z.object({
    listId: democraticListId,
    userId,
    client: z.string().max(255),
    request: z.enum(['fresh', 'first-part', 'later-part']),
    /** Songs with votes that the listener may hear, in the order in which they are to be played. */
    candidates: z.array(playable).max(MAX_TURN_CANDIDATES),
    otherwise: playable.nullable(),
  }),
  z.object({ songId: songId.nullable() }),
);
