import type { PlayedObject } from '../../../reads/plays/played-objects.reads.js';
import type { Flow } from '../../../render/flow.js';
import { objectTable } from '../../../render/object-table.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { byForm, fieldsOf, OPTIONAL } from './fields.js';
import { playedEntry, type PlayedEntry } from './played-entry.object.js';

/** A play queue without deleted and hidden objects. */
export interface CompatPlayQueue {
  readonly entries: Flow<PlayedEntry>;
  /** The object that plays; undefined in an empty queue. */
  readonly current: PlayedObject | undefined;
  /** Its index among the entries. */
  readonly currentIndex: number | undefined;
  readonly positionMs: number;
  readonly username: string;
  readonly changedAtMs: number;
  readonly changedBy: string;
}

const queue = fieldsOf<CompatPlayQueue>();

const idOf = ({ current }: CompatPlayQueue): string | undefined =>
  current && formatId(current.objectType === 'podcast_episode' ? 'episode' : current.objectType, current.objectId);

const rest = [
  queue.int('position', (source) => (source.currentIndex === undefined ? undefined : source.positionMs), OPTIONAL),
  queue.text('username', ({ username }) => username),
  queue.text('changed', ({ changedAtMs }) => isoDate(changedAtMs), OPTIONAL),
  queue.text('changedBy', ({ changedBy }) => changedBy),
  queue.many('entry', playedEntry, ({ entries }) => entries),
];

/** A play queue by the id of the current object (schema type PlayQueue); a number in the legacy form. */
export const playQueueObject = objectTable<CompatPlayQueue, undefined>('playQueue', [
  byForm({
    extended: queue.text('current', idOf, OPTIONAL),
    legacy: queue.int('current', ({ current }) => current?.objectId, OPTIONAL),
  }),
  ...rest,
]);

/** A play queue by the index of the current object (schema type PlayQueueByIndex). */
export const playQueueByIndexObject = objectTable<CompatPlayQueue, undefined>('playQueueByIndex', [
  queue.int('currentIndex', ({ currentIndex }) => currentIndex, OPTIONAL),
  ...rest,
]);
