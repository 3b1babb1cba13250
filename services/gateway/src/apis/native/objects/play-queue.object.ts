import { objectTable, rowsOf } from '../../../render/index.js';
import type { VisibleQueue } from '../../../features/playback/play-queues.js';
import type { NativeContext } from './context.js';
import { songObject, type NativeSong } from './song.object.js';

/** A play queue, and the songs from the current one on. */
export interface NativePlayQueue extends Pick<VisibleQueue, 'currentIndex' | 'positionMs' | 'changedAtMs' | 'changedBy' | 'context'> {
  readonly total: number;
  readonly songs: readonly NativeSong[];
}

const of = rowsOf<NativePlayQueue, NativeContext>();

/** Fields of the caller's play queue. Its position is in milliseconds: another device goes on where this one stopped. */
export const playQueueObject = objectTable<NativePlayQueue, NativeContext>('play_queue', [
  of.int('total_count', ({ total }) => total),
  of.int('index', ({ currentIndex }) => currentIndex ?? 0),
  of.int('position_ms', ({ positionMs }) => positionMs),
  of.int('update_ms', ({ changedAtMs }) => changedAtMs),
  of.text('client', ({ changedBy }) => changedBy),
  of.text('context', ({ context }) => context ?? null, { nullable: true }),
  of.list('song', songObject, ({ songs }) => songs),
]);
