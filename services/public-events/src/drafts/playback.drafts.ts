import type { BookmarkEvent, PlayEvent, PlayQueueEvent } from '@continuo/contracts';
import { byUser, doing, type Draft, type DraftFamily, type Drafting } from '../draft.js';

type Data<T extends PlayEvent['type']> = Extract<PlayEvent, { type: T }>['data'];

const iso = (atMs: number): string => new Date(atMs).toISOString();

const played: Drafting<Data<'SongPlayed'>> = ({ userId, songId, playedAtMs, playingUntilMs }) => {
  const about = { kind: 'song', id: songId };
  const recorded = doing('play.recorded', userId, { about, data: { playedAt: iso(playedAtMs) } });
  // A play that is under way is what the client plays now, too.
  if (playingUntilMs === undefined) return [recorded];
  return [recorded, doing('playback.started', userId, { about, unless: 'allow_personal_info_now', data: { until: iso(playingUntilMs) } })];
};

const mediaPlayed: Drafting<Data<'MediaPlayed'>> = ({ userId, objectType, objectId, playedAtMs, playingUntilMs }) => {
  const about = { kind: objectType, id: objectId };
  const recorded = doing('play.recorded', userId, { about, data: { playedAt: iso(playedAtMs) } });
  if (playingUntilMs === undefined) return [recorded];
  return [recorded, doing('playback.started', userId, { about, unless: 'allow_personal_info_now', data: { until: iso(playingUntilMs) } })];
};

/** Skips go to nobody else: lists of activities leave them out, too. */
const skipped: Drafting<Data<'SongSkipped'>> = ({ userId, songId, playedAtMs }) => [
  {
    type: 'play.skipped',
    object: { kind: 'song', id: songId },
    actor: byUser(userId),
    data: { playedAt: iso(playedAtMs) },
    audience: { owners: [userId], others: { are: 'nobody' }, about: { kind: 'song', id: songId } },
  },
];

const started: Drafting<Data<'PlaybackStarted'>> = ({ userId, objectType, objectId, playingUntilMs }) => [
  doing('playback.started', userId, {
    about: { kind: objectType, id: objectId },
    unless: 'allow_personal_info_now',
    data: { until: iso(playingUntilMs) },
  }),
];

const stopped: Drafting<Data<'PlaybackStopped'>> = ({ userId }): readonly Draft[] => [
  {
    type: 'playback.stopped',
    object: { kind: 'user', id: userId },
    actor: byUser(userId),
    audience: { owners: [userId], others: { are: 'doings', userId, unless: 'allow_personal_info_now' } },
  },
];

/** Public forms of plays. Clients and devices are left out: nobody learns with what somebody listens. */
export const playFamily: DraftFamily = {
  aggregate: 'plays',
  types: ['play.recorded', 'play.skipped', 'playback.started', 'playback.stopped'],
  drafts: { SongPlayed: played, SongSkipped: skipped, MediaPlayed: mediaPlayed, PlaybackStarted: started, PlaybackStopped: stopped },
};

type Bookmarked = Extract<BookmarkEvent, { type: 'BookmarkMoved' }>['data'];

const bookmarked =
  (type: 'bookmark.set' | 'bookmark.removed') =>
  ({ bookmarkId, userId, objectType, objectId }: Omit<Bookmarked, 'positionMs' | 'changedAtMs'>, data: Draft['data'] = {}): Draft => ({
    type,
    object: { kind: 'bookmark', id: bookmarkId },
    actor: byUser(userId),
    data: { of: { type: objectType, id: String(objectId) }, ...data },
    audience: { owners: [userId], others: { are: 'nobody' }, about: { kind: objectType, id: objectId } },
  });

const bookmarkSet: Drafting<Bookmarked> = (bookmark) => [bookmarked('bookmark.set')(bookmark, { positionMs: bookmark.positionMs })];

/** Bookmarks go to other devices of their owner, and to nobody else. Their labels are left out. */
export const bookmarkFamily: DraftFamily = {
  aggregate: 'bookmark',
  types: ['bookmark.set', 'bookmark.removed'],
  drafts: {
    BookmarkPlaced: bookmarkSet,
    BookmarkMoved: bookmarkSet,
    BookmarkRemoved: ((bookmark) => [bookmarked('bookmark.removed')(bookmark)]) satisfies Drafting<
      Extract<BookmarkEvent, { type: 'BookmarkRemoved' }>['data']
    >,
  },
};

const queueChanged: Drafting<PlayQueueEvent['data']> = ({ userId }) => [
  {
    type: 'queue.changed',
    object: { kind: 'user', id: userId },
    actor: byUser(userId),
    audience: { owners: [userId], others: { are: 'nobody' } },
  },
];

/** That a queue changed, for other devices of the same account, which then ask for it; not what is in it, some of which may be hidden by now. */
export const playQueueFamily: DraftFamily = {
  aggregate: 'play-queue',
  types: ['queue.changed'],
  drafts: { PlayQueueSaved: queueChanged, PlayQueueMoved: queueChanged },
};
