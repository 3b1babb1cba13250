import { z } from 'zod';
import { defineCommand } from '../define.js';

/** Programs that can play on the server itself. */
export const playerBackEnds = ['mpd'] as const;
export const playerBackEnd = z.enum(playerBackEnds);
export type PlayerBackEnd = z.infer<typeof playerBackEnd>;

/** As many things are queued by one command. */
export const MAX_PLAYER_ITEMS = 500;
/** As many entries of the queue are read by one command. */
export const MAX_PLAYER_PAGE = 1000;

const text = z.string().max(512);

/** Something to be played: where its bytes are, and what people call it. */
export const playerItem = z.object({
  url: z.url({ protocol: /^https?$/ }).max(4096),
  title: text,
  artist: text,
  album: text,
});
export type PlayerItem = z.infer<typeof playerItem>;

const items = z.array(playerItem).max(MAX_PLAYER_ITEMS);
const index = z.int().nonnegative().max(1_000_000);

/** Action of a player. Positions in the queue are counted from 0. */
export const playerAction = z.discriminatedUnion('type', [
  /** Also goes on after a pause. */
  z.object({ type: z.literal('play') }),
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('next') }),
  z.object({ type: z.literal('previous') }),
  /** Plays an entry, from an instant on. */
  z.object({ type: z.literal('skip'), index, offsetMs: z.int().nonnegative().max(86_400_000) }),
  /** Puts things behind what is queued, or in its place. */
  z.object({ type: z.literal('add'), items, isInstead: z.boolean() }),
  /** Makes the queue this list and lets go on what is playing. */
  z.object({ type: z.literal('replace'), items }),
  /** Puts something in the place of an entry. */
  z.object({ type: z.literal('substitute'), index, item: playerItem }),
  z.object({ type: z.literal('remove'), index }),
  z.object({ type: z.literal('clear') }),
  z.object({ type: z.literal('shuffle') }),
  z.object({ type: z.literal('volume'), percent: z.int().min(0).max(100) }),
  z.object({ type: z.literal('volume-by'), percent: z.int().min(-100).max(100) }),
]);
export type PlayerAction = z.infer<typeof playerAction>;

/** An entry of the queue as the player reports it. Entries that others queued have addresses of any kind. */
export const playerEntry = z.object({ url: z.string(), title: z.string(), artist: z.string(), album: z.string() });
export type PlayerEntry = z.infer<typeof playerEntry>;

/** Present status of a player. */
export const playerStatus = z.object({
  state: z.enum(['play', 'pause', 'stop']),
  /** Null for a player whose output has no volume. */
  volumePercent: z.int().min(0).max(100).nullable(),
  isRepeating: z.boolean(),
  isRandom: z.boolean(),
  /** Number of queued entries. */
  length: z.int().nonnegative(),
  /** Index of the entry that is played, or would be; null when there is none. */
  index: z.int().nonnegative().nullable(),
  positionMs: z.int().nonnegative(),
  current: playerEntry.nullable(),
});
export type PlayerStatus = z.infer<typeof playerStatus>;

/**
 * Tells the player on the server to do something. `isAccepted` is false when the player would not, such as going on to the next entry while nothing plays.
 * Refused with `player.unreachable` when it does not answer.
 */
export const controlPlayer = defineCommand(
  'playback',
  'control-player',
  z.object({ backEnd: playerBackEnd, action: playerAction }),
  z.object({ isAccepted: z.boolean(), status: playerStatus }),
);

/** Reads what the player does, and a part of its queue. Refused with `player.unreachable` when it does not answer. */
export const readPlayer = defineCommand(
  'playback',
  'read-player',
  z.object({ backEnd: playerBackEnd, offset: z.int().nonnegative(), limit: z.int().nonnegative().max(MAX_PLAYER_PAGE) }),
  z.object({ status: playerStatus, entries: z.array(playerEntry) }),
);
