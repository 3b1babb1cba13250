import { objectTable, rowsOf } from '../../render/index.js';
import type { NowPlayingView } from '../../reads/now-playing.reads.js';
import { epochSeconds, type NativeContext } from './context.js';
import { userSummaryObject } from './user.object.js';

const of = rowsOf<NowPlayingView, NativeContext>();

/** What a client plays (versions.md sections 6.1 and 7.1). */
export const nowPlayingObject = objectTable<NowPlayingView, NativeContext>('now_playing', [
  of.id('id', ({ objectId }) => objectId),
  of.text('type', ({ objectType }) => objectType),
  of.text('client', ({ client }) => client || null),
  of.num('expire', ({ expiresAtMs }) => epochSeconds(expiresAtMs)),
  of.object('user', userSummaryObject, ({ userId, username }) => ({ id: userId, username })),
]);
