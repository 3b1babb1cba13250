import type { Song } from '../../lib/api.js';
import { isFields, parsed, type Fields } from '../../lib/kept.js';
import type { SongSource } from '../../lib/song-sources.js';
import { CROSSFADES_S, type CrossfadeS } from './crossfade.js';
import { QUALITIES, type Quality } from './form.js';
import { EMPTY_QUEUE, type Queue } from './queue.js';

/** State of the player that is stored for the next visit. */
export interface Kept {
  readonly queue: Queue;
  readonly volume: number;
  readonly quality: Quality;
  /** True to play all songs equally loud. */
  readonly isEven: boolean;
  /** Length of the fade from one song into the next, s; 0 for none. */
  readonly crossfadeS: CrossfadeS;
  /** True to go on with similar songs when the queue ends. */
  readonly isEndless: boolean;
}

export const NOTHING_KEPT: Kept = { queue: EMPTY_QUEUE, volume: 1, quality: 'original', isEven: true, crossfadeS: 0, isEndless: false };

const KEPT = 'continuo-queue';
const POSITION = 'continuo-position';
/** Browsers keep some five million characters for a site. */
const MOST_KEPT = 500;

const SOURCES: Readonly<Record<SongSource['kind'], true>> = {
  songs: true,
  album: true,
  artist: true,
  top: true,
  genre: true,
  playlist: true,
  favourites: true,
  offline: true,
  folder: true,
  mix: true,
  search: true,
};

/** True for 0, 1, 2 and so on. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isNamed = (value: unknown): boolean => isFields(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string';

const isSong = (value: unknown): value is Song =>
  isFields(value) &&
  ['id', 'title', 'url', 'art', 'stream_mime'].every((name) => typeof value[name] === 'string') &&
  isNamed(value['artist']) &&
  isNamed(value['album']);

const isEntry = (value: unknown): value is Queue['upNext'][number] =>
  isFields(value) && isCount(value['key']) && isSong(value['song']) && (value['afterIndex'] === undefined || isCount(value['afterIndex']));

const isContext = (value: unknown): value is Queue['context'] =>
  isFields(value) &&
  isFields(value['source']) &&
  Object.hasOwn(SOURCES, String(value['source']['kind'])) &&
  isCount(value['total']) &&
  (isCount(value['index']) || value['index'] === -1) &&
  [value['seed'], value['first']].every((number) => number === undefined || isCount(number));

/** The list in what was kept, and how it is played. */
export const listIn = ({ context, repeat }: Fields): Pick<Queue, 'context' | 'repeat'> => ({
  context: isContext(context) ? context : undefined,
  repeat: repeat === 'all' || repeat === 'one' ? repeat : 'off',
});

const queueIn = (value: unknown): Queue => {
  if (!isFields(value)) return EMPTY_QUEUE;
  const { current, upNext } = value;
  return {
    current: isSong(current) ? current : undefined,
    upNext: Array.isArray(upNext) ? upNext.filter(isEntry) : [],
    ...listIn(value),
  };
};

/** Reads the state that an earlier visit has stored; parts that cannot be used get their defaults. */
export const readKept = (storage: Pick<Storage, 'getItem'>): Kept => {
  const kept = parsed(storage.getItem(KEPT));
  if (!isFields(kept)) return NOTHING_KEPT;
  const { queue, volume, quality, isEven, crossfadeS, isEndless } = kept;
  return {
    queue: queueIn(queue),
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : NOTHING_KEPT.volume,
    quality: QUALITIES.find((known) => known === quality) ?? NOTHING_KEPT.quality,
    isEven: isEven !== false,
    crossfadeS: CROSSFADES_S.find((known) => known === crossfadeS) ?? 0,
    isEndless: isEndless === true,
  };
};

/** Keeps the queue, without words, of which there may be many; of long queues the beginning. */
export const writeKept = (storage: Pick<Storage, 'setItem'>, { queue, volume, quality, isEven, crossfadeS, isEndless }: Kept): void => {
  const light = (song: Song): Song => ({ ...song, lyrics: null, comment: null, metadata: {} });
  const upNext = queue.upNext.slice(0, MOST_KEPT).map((entry) => ({ ...entry, song: light(entry.song) }));
  const current = queue.current && light(queue.current);
  storage.setItem(KEPT, JSON.stringify({ volume, quality, isEven, crossfadeS, isEndless, queue: { ...queue, upNext, current } }));
};

/** Position in a song, s, that an earlier visit has left; 0 for another song. */
export const readPosition = (storage: Pick<Storage, 'getItem'>, songId: string): number => {
  const kept = parsed(storage.getItem(POSITION));
  const isOfSong = isFields(kept) && kept['id'] === songId && typeof kept['positionS'] === 'number' && kept['positionS'] >= 0;
  return isOfSong ? (kept['positionS'] as number) : 0;
};

/** Keeps the position in a song, s. */
export const writePosition = (storage: Pick<Storage, 'setItem'>, id: string, positionS: number): void =>
  storage.setItem(POSITION, JSON.stringify({ id, positionS }));
