import type { NowPlayingView } from '../../../features/playback/now-playing.reads.js';
import { epochSeconds } from './context.js';
import { nativeObject } from './native-object.js';
import { userSummaryObject } from './user.object.js';

/** Fields of a playing medium. */
export const nowPlayingObject = nativeObject<NowPlayingView>('now_playing', (of) => [
  of.id('id', ({ objectId }) => objectId),
  of.text('type', ({ objectType }) => objectType),
  of.text('client', ({ client }) => client || null, { nullable: true }),
  of.int('expire', ({ expiresAtMs }) => epochSeconds(expiresAtMs)),
  of.object('user', userSummaryObject, ({ userId, username }) => ({ id: userId, username })),
]);
