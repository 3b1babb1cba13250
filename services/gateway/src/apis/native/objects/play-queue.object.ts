import type { VisibleQueue } from '../../../features/playback/play-queues.js';
import { nativeObject } from './native-object.js';
import { songObject, type NativeSong } from './song.object.js';

/** A play queue, and the songs from the current one on. */
export interface NativePlayQueue extends Pick<VisibleQueue, 'currentIndex' | 'positionMs' | 'changedAtMs' | 'changedBy' | 'context'> {
  readonly total: number;
  readonly songs: readonly NativeSong[];
}

/** Fields of the caller's play queue. Its position is in milliseconds: another device goes on where this one stopped. */
export const playQueueObject = nativeObject<NativePlayQueue>('play_queue', (of) => [
  of.int('total_count', ({ total }) => total),
  of.int('index', ({ currentIndex }) => currentIndex ?? 0),
  of.int('position_ms', ({ positionMs }) => positionMs),
  of.int('update_ms', ({ changedAtMs }) => changedAtMs),
  of.text('client', ({ changedBy }) => changedBy),
  of.text('context', ({ context }) => context ?? null, { nullable: true }),
  of.list('song', songObject, ({ songs }) => songs),
]);
