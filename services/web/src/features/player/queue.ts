import type { Song } from '../../lib/api.js';
import type { SongSource } from '../songs/sources.js';
import { newSeed, shuffled } from './order.js';

/** A list that is being played. */
export interface Context {
  readonly source: SongSource;
  readonly total: number;
  /** Index in the order of playing, of the song that played last from this list. */
  readonly index: number;
  /** Seed of the shuffled order; undefined for the order of the list. */
  readonly seed: number | undefined;
}

export type Repeat = 'off' | 'all' | 'one';

/** What plays and what comes next: first the songs that somebody chose one by one, then the list. A value; each change makes another. */
export interface Queue {
  readonly current: Song | undefined;
  readonly upNext: readonly Song[];
  readonly context: Context | undefined;
  readonly repeat: Repeat;
}

export const EMPTY_QUEUE: Queue = { current: undefined, upNext: [], context: undefined, repeat: 'off' };

/** Where the next song comes from. */
export type Step =
  | { readonly from: 'up-next'; readonly song: Song }
  /** `position` in the list, in the list's own order. */
  | { readonly from: 'context'; readonly index: number; readonly position: number }
  | { readonly from: 'current'; readonly song: Song };

/** Position in the list's own order of an index in the order of playing. */
export const positionOf = ({ seed, total }: Pick<Context, 'seed' | 'total'>, index: number): number =>
  seed === undefined ? index : shuffled(index, total, seed);

const indexAfter = ({ index, total }: Context, repeat: Repeat, by: 1 | -1): number | undefined => {
  const at = index + by;
  if (at >= 0 && at < total) return at;
  return repeat === 'all' && total > 0 ? (at + total) % total : undefined;
};

const inContext = (context: Context, index: number): Step => ({ from: 'context', index, position: positionOf(context, index) });

/** What comes next; undefined at the end. @param isChosen true when somebody asks for it, so that a song on repeat is left */
export const stepForward = ({ current, upNext, context, repeat }: Queue, isChosen: boolean): Step | undefined => {
  if (repeat === 'one' && !isChosen && current) return { from: 'current', song: current };
  const [song] = upNext;
  if (song) return { from: 'up-next', song };
  const index = context && indexAfter(context, repeat, 1);
  return context && index !== undefined ? inContext(context, index) : undefined;
};

/** The song of the list before the last one; undefined at the beginning. */
export const stepBack = ({ context, repeat }: Queue): Step | undefined => {
  const index = context && indexAfter(context, repeat, -1);
  return context && index !== undefined ? inContext(context, index) : undefined;
};

/** The queue after a step to a song. */
export const taken = (queue: Queue, step: Step, song: Song): Queue => {
  if (step.from === 'current') return queue;
  if (step.from === 'up-next') return { ...queue, current: song, upNext: queue.upNext.slice(1) };
  return { ...queue, current: song, ...(queue.context ? { context: { ...queue.context, index: step.index } } : {}) };
};

/** Plays a list from a position in its own order; shuffled, this song comes first. */
export const startContext = (queue: Queue, source: SongSource, total: number, shuffle: boolean): Queue => ({
  ...queue,
  context: { source, total, index: -1, seed: shuffle ? newSeed() : undefined },
});

/** Index in the order of playing at which a position of the list comes. Looks through the order, which no more than a million entries have. */
const indexOf = (context: Context, position: number): number => {
  if (context.seed === undefined) return position;
  for (let index = 0; index < context.total; index += 1) if (positionOf(context, index) === position) return index;
  return 0;
};

/** Starts a list at a position. */
export const startAt = (
  queue: Queue,
  source: SongSource,
  { total, position }: { readonly total: number; readonly position: number },
): Queue => ({
  ...queue,
  context: { source, total, index: position, seed: undefined },
});

/** Turns the shuffled order of the list on or off; the song that plays stays where it is. */
export const toggleShuffle = (queue: Queue): Queue => {
  const { context } = queue;
  if (!context) return queue;
  const position = positionOf(context, Math.max(0, context.index));
  const next = { ...context, seed: context.seed === undefined ? newSeed() : undefined };
  return { ...queue, context: { ...next, index: indexOf(next, position) } };
};

/** Adds songs before or after the others that were chosen. */
export const enqueue = (queue: Queue, songs: readonly Song[], where: 'next' | 'last'): Queue => ({
  ...queue,
  upNext: where === 'next' ? [...songs, ...queue.upNext] : [...queue.upNext, ...songs],
});

/** Removes one of the chosen songs. */
export const dequeue = (queue: Queue, at: number): Queue => ({ ...queue, upNext: queue.upNext.toSpliced(at, 1) });
