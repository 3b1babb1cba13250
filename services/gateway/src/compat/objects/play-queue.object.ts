import { objectTable } from '../../render/object-table.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { byForm, fieldsOf } from './fields.js';
import { playedEntry, type PlayedEntry } from './played-entry.object.js';

/** A play queue as its account sees it: what is gone or hidden is left out. */
export interface CompatPlayQueue {
  readonly entries: readonly PlayedEntry[];
  /** Index among the entries; undefined in an empty queue. */
  readonly currentIndex: number | undefined;
  readonly positionMs: number;
  readonly username: string;
  readonly changedAtMs: number;
  readonly changedBy: string;
}

const queue = fieldsOf<CompatPlayQueue>();

const current = ({ entries, currentIndex }: CompatPlayQueue): PlayedEntry | undefined =>
  currentIndex === undefined ? undefined : entries[currentIndex];

const idOf = (entry: PlayedEntry | undefined): string | undefined => {
  if (!entry) return undefined;
  const { song, video, episode } = entry;
  if (song) return formatId('song', song.doc.id);
  if (video) return formatId('video', video.id);
  return episode && formatId('episode', episode.id);
};

const rest = [
  queue.num('position', (source) => (source.currentIndex === undefined ? undefined : source.positionMs)),
  queue.text('username', ({ username }) => username),
  queue.text('changed', ({ changedAtMs }) => isoDate(changedAtMs)),
  queue.text('changedBy', ({ changedBy }) => changedBy),
  queue.many('entry', playedEntry, ({ entries }) => entries),
];

/** The queue by the id of what plays (schema type PlayQueue), which the legacy form knows as a number alone (choices.md row 15). */
export const playQueueObject = objectTable<CompatPlayQueue, undefined>('playQueue', [
  byForm({
    extended: queue.text('current', (source) => idOf(current(source))),
    legacy: queue.num('current', (source) => {
      const entry = current(source);
      return entry && (entry.song?.doc.id ?? entry.video?.id ?? entry.episode?.id);
    }),
  }),
  ...rest,
]);

/** The same queue by the index of what plays (schema type PlayQueueByIndex). */
export const playQueueByIndexObject = objectTable<CompatPlayQueue, undefined>('playQueueByIndex', [
  queue.num('currentIndex', ({ currentIndex }) => currentIndex),
  ...rest,
]);
