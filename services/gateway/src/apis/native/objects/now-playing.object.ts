import { objectTable, rowsOf } from '../../../render/index.js';
import type { NowPlayingView } from '../../../features/playback/now-playing.reads.js';
import { epochSeconds, type NativeContext } from './context.js';
import { userSummaryObject } from './user.object.js';

const of = rowsOf<NowPlayingView, NativeContext>();

/** Fields of a playing medium. */
export const nowPlayingObject = objectTable<NowPlayingView, NativeContext>('now_playing', [
  of.id('id', ({ objectId }) => objectId),
  of.text('type', ({ objectType }) => objectType),
  of.text('client', ({ client }) => client || null, { nullable: true }),
  of.int('expire', ({ expiresAtMs }) => epochSeconds(expiresAtMs)),
  of.object('user', userSummaryObject, ({ userId, username }) => ({ id: userId, username })),
]);
