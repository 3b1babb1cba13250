import type { Song } from '../../lib/api.js';
import type { SongSource } from '../../lib/song-sources.js';
import { newSeed, shuffled } from './order.js';

/** A list that is being played. */
export interface Context {
  readonly source: SongSource;
  readonly total: number;
  /** Index in the order of playing, of the song that played last from this list. */
  readonly index: number;
  /** Seed of the shuffled order; undefined for the order of the list. */
  readonly seed?: number | undefined;
  /** Position in the list of the song that comes first in the shuffled order, because it played when the order was shuffled. */
  readonly first?: number | undefined;
}

export type Repeat = 'off' | 'all' | 'one';

/** A song that somebody has chosen to come next; one song may stand there more than once. */
export interface Entry {
  /** Unique in its queue. */
  readonly key: number;
  readonly song: Song;
  /** Index in the order of playing of the song of the list after which it comes; undefined for what comes before all others of the list. */
  readonly afterIndex?: number | undefined;
}

/** The current song and the next ones: first the songs that somebody chose one by one, then the list. A value; each change makes another. */
export interface Queue {
  readonly current: Song | undefined;
  readonly upNext: readonly Entry[];
  readonly context: Context | undefined;
  readonly repeat: Repeat;
}

export const EMPTY_QUEUE: Queue = { current: undefined, upNext: [], context: undefined, repeat: 'off' };

/** Where the next song comes from. */
export type Step =
  | { readonly from: 'up-next'; readonly entry: Entry }
  /** `position` in the list, in the list's own order. */
  | { readonly from: 'context'; readonly index: number; readonly position: number }
  | { readonly from: 'current'; readonly song: Song };

/** Position in the list's own order of an index in the order of playing. */
export const positionOf = ({ seed, first, total }: Pick<Context, 'seed' | 'first' | 'total'>, index: number): number => {
  if (seed === undefined) return index;
  if (first === undefined) return shuffled(index, total, seed);
  // The first one changes places with the one that the seed puts there.
  if (index === 0) return first;
  const position = shuffled(index, total, seed);
  return position === first ? shuffled(0, total, seed) : position;
};

const indexAfter = ({ index, total }: Context, repeat: Repeat, by: 1 | -1): number | undefined => {
  const at = index + by;
  if (at >= 0 && at < total) return at;
  return repeat === 'all' && total > 0 ? (at + total) % total : undefined;
};

/** The step to an index in the order of playing. */
export const stepTo = (context: Context, index: number): Step => ({ from: 'context', index, position: positionOf(context, index) });

/** False for a chosen song that comes later in the list. */
const isDue = ({ afterIndex }: Pick<Entry, 'afterIndex'>, context: Context | undefined): boolean =>
  afterIndex === undefined || context === undefined || context.index >= afterIndex;

/** The chosen songs, due at once: an order in which they were to come is no more. */
const allDue = ({ upNext }: Queue): readonly Entry[] => upNext.map(({ key, song }) => ({ key, song }));

/** Step to the next song; undefined at the end. @param isChosen true when somebody asks for it, so that a song on repeat is left */
export const stepForward = ({ current, upNext, context, repeat }: Queue, isChosen: boolean): Step | undefined => {
  if (repeat === 'one' && !isChosen && current) return { from: 'current', song: current };
  const entry = upNext.find((one) => isDue(one, context));
  if (entry) return { from: 'up-next', entry };
  const index = context && indexAfter(context, repeat, 1);
  return context && index !== undefined ? stepTo(context, index) : undefined;
};

/** The song of the list before the last one; undefined at the beginning. */
export const stepBack = ({ context, repeat }: Queue): Step | undefined => {
  const index = context && indexAfter(context, repeat, -1);
  return context && index !== undefined ? stepTo(context, index) : undefined;
};

/** The queue after a step; without its song, what plays is still the one before. */
export const taken = (queue: Queue, step: Step, song?: Song): Queue => {
  const current = song ?? queue.current;
  if (step.from === 'current') return { ...queue, current };
  if (step.from === 'up-next') return { ...queue, current, upNext: queue.upNext.filter(({ key }) => key !== step.entry.key) };
  return { ...queue, current, ...(queue.context ? { context: { ...queue.context, index: step.index } } : {}) };
};

/** Begins a list in a shuffled order, before its first song. */
export const startShuffled = (queue: Queue, source: SongSource, total: number): Queue => ({
  ...queue,
  upNext: allDue(queue),
  context: { source, total, index: -1, seed: newSeed() },
});

/** Starts a list at a position. */
export const startAt = (
  queue: Queue,
  source: SongSource,
  { total, position }: { readonly total: number; readonly position: number },
): Queue => ({ ...queue, upNext: allDue(queue), context: { source, total, index: position } });

/** Turns the shuffled order of the list on or off; the song that plays goes on, and shuffled all others come after it. */
export const toggleShuffle = (before: Queue): Queue => {
  const { context } = before;
  if (!context) return before;
  const queue = { ...before, upNext: allDue(before) };
  const { source, total, index, seed } = context;
  const position = index < 0 ? undefined : positionOf(context, index);
  if (seed !== undefined) return { ...queue, context: { source, total, index: position ?? -1 } };
  const shuffle = { seed: newSeed(), ...(position === undefined ? {} : { first: position }) };
  return { ...queue, context: { source, total, index: position === undefined ? -1 : 0, ...shuffle } };
};

/** Where songs are added: before or after the others that were chosen, or once the list has come to an index. */
export type Where = 'next' | 'last' | { readonly afterIndex: number | undefined };

/** Number of chosen songs that come before those that are added. */
const placeOf = ({ current, upNext, context }: Queue, where: Where): number => {
  if (where === 'next') return 0;
  if (where === 'last') return upNext.filter((entry) => isDue(entry, context)).length;
  if (!isDue(where, context)) return upNext.length;
  const others = upNext.findIndex((entry) => entry.song.album.id !== current?.album.id);
  return others < 0 ? upNext.length : others;
};

/** Adds songs to those that were chosen. */
export const enqueue = (queue: Queue, songs: readonly Song[], where: Where): Queue => {
  const { upNext } = queue;
  const firstKey = Math.max(0, ...upNext.map(({ key }) => key)) + 1;
  const after = typeof where === 'object' && where.afterIndex !== undefined ? { afterIndex: where.afterIndex } : {};
  const entries = songs.map((song, at) => ({ key: firstKey + at, song, ...after }));
  return { ...queue, upNext: upNext.toSpliced(placeOf(queue, where), 0, ...entries) };
};

/** Songs of an album that are looked for at most. */
const LONGEST_ALBUM = 500;

/** Index in the order of playing at which the album of the current song ends; undefined without a list. @param ahead fetches the next songs of a list */
export const albumEnd = async (
  { current, context }: Queue,
  ahead: (context: Context) => Promise<readonly Song[]>,
): Promise<number | undefined> => {
  if (!current || !context) return undefined;
  let { index } = context;
  for (let songs = await ahead(context); songs.length > 0; songs = await ahead({ ...context, index })) {
    const others = songs.findIndex(({ album }) => album.id !== current.album.id);
    index += others < 0 ? songs.length : others;
    if (others >= 0 || index - context.index > LONGEST_ALBUM) return index;
  }
  return index;
};

/** Removes one of the chosen songs. */
export const dequeue = (queue: Queue, key: number): Queue => ({ ...queue, upNext: queue.upNext.filter((entry) => entry.key !== key) });

/** Moves chosen songs, in their order, before or after another one, which is none of them. */
export const move = (
  queue: Queue,
  keys: ReadonlySet<number>,
  { key, where }: { readonly key: number; readonly where: 'before' | 'after' },
): Queue => {
  const rest = queue.upNext.filter((entry) => !keys.has(entry.key));
  const at = rest.findIndex((entry) => entry.key === key);
  if (at < 0) return queue;
  // They come when the song does beside which they are put.
  const afterIndex = rest[at]?.afterIndex;
  const moved = queue.upNext.filter((entry) => keys.has(entry.key)).map((entry) => ({ ...entry, afterIndex }));
  return { ...queue, upNext: rest.toSpliced(where === 'before' ? at : at + 1, 0, ...moved) };
};
