import { MAX_BOOKMARK_LABEL } from '@continuo/contracts';
import { z } from 'zod';
import {
  canBeBookmarked,
  bookmarkedTypes,
  dropBookmarks,
  ownBookmark,
  ownBookmarkIds,
  playableTypeOf,
  putBookmark,
  shiftBookmark,
  type Bookmarker,
  type Place,
} from '../../bookmark/bookmarks.js';
import { bookmarksByIds, type BookmarkedObject, type BookmarkView } from '../../reads/bookmarks.reads.js';
import { IdList, listMd5 } from '../../reads/id-list.js';
import { episodesByIds } from '../../reads/podcasts.reads.js';
import { videosByIds } from '../../reads/videos.reads.js';
import { badValue, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { bookmarkObject, type NativeBookmark } from '../objects/bookmark.object.js';
import { pageResult, type ListParams } from '../paging.js';
import { flag, idOf, limit, offset, required } from '../params.js';
import { objectResult, type NativeResult } from '../result.js';
import type { ApiVersion } from '../versions/policy.js';
import { requirePodcasts } from './podcast.methods.js';
import { readSongs } from './reading.js';
import { requireVideos } from './video.methods.js';

const versions: readonly ApiVersion[] = [5, 6, 8];
/** Version 5 neither picks by client nor shows what a bookmark stands in (versions.md section 6.3). */
const CLIENTS_SINCE = 6;
const MS_PER_SECOND = 1000;

const label = z
  .string()
  .max(MAX_BOOKMARK_LABEL)
  .transform((text) => text.toWellFormed().trim())
  .optional();
/** Whole seconds. */
const position = z.string().regex(/^\s*\d{1,9}\s*$/);
const date = z
  .string()
  .regex(/^\s*\d{0,12}\s*$/)
  .optional();

const bookmarkerOf = ({ services, request, viewer }: CallerCall<unknown>): Bookmarker => ({ services, context: request, viewer });

/** Where the caller wants it to stand: no time is later than now, lest the bookmark stay the latest for long. */
const placeOf = ({ params, services }: CallerCall<{ position: string; date?: string | undefined }>): Place => {
  const nowMs = services.now();
  const seconds = params.date?.trim() ?? '';
  return {
    positionMs: Number(params.position) * MS_PER_SECOND,
    atMs: seconds === '' ? nowMs : Math.min(Number(seconds) * MS_PER_SECOND, nowMs),
  };
};

/** The thing that type and id name. @throws NativeRefusal 4703 for videos and podcasts where they are off, 4704 for what is not there, 4710 for no such type */
const objectOf = async (call: CallerCall<{ filter: string; type: string }>): Promise<BookmarkedObject> => {
  const { type, filter } = call.params;
  const objectType = playableTypeOf(type.trim().toLowerCase());
  if (objectType === undefined) throw badValue('type', type);
  if (objectType === 'video') requireVideos(call);
  if (objectType === 'podcast_episode') requirePodcasts(call);
  const objectId = idOf(filter);
  if (objectId === undefined || !(await canBeBookmarked(bookmarkerOf(call), { objectType, objectId }))) throw notFound('filter', filter);
  return { objectType, objectId };
};

const BY_NUMBER = 'bookmark';

interface Lookup {
  readonly filter: string;
  readonly type: string;
  readonly client?: string | undefined;
}

/** Ids of the caller's bookmarks that are meant, the latest first: by number, or in a thing and by a client. */
const namedIds = async (call: CallerCall<Lookup>): Promise<number[]> => {
  const { type, filter, client } = call.params;
  const picked = client === undefined || client === '' ? {} : { label: client };
  if (type.trim().toLowerCase() !== BY_NUMBER)
    return ownBookmarkIds(bookmarkerOf(call), { object: await objectOf(call), ...picked }, 'latest');
  const id = idOf(filter);
  return id === undefined ? [] : ownBookmarkIds(bookmarkerOf(call), { id, ...picked }, 'latest');
};

/** The caller's bookmark that is meant. @throws NativeRefusal 4704, also for those of others: nobody learns which there are */
const named = async (call: CallerCall<Lookup>): Promise<BookmarkView> => {
  const [id] = await namedIds(call);
  const view = id === undefined ? undefined : await ownBookmark(bookmarkerOf(call), id);
  if (!view) throw notFound('bookmark', call.params.filter);
  return view;
};

/** Adds to bookmarks what they stand in: three statements whatever their number. */
const shown = async (call: CallerCall<{ include?: boolean }>, views: readonly BookmarkView[]): Promise<NativeBookmark[]> => {
  const owner = call.request.caller.account.username;
  if (call.params.include !== true || call.policy.version < CLIENTS_SINCE) return views.map((view) => ({ view, owner }));
  const idsOf = (type: string): number[] => [...new Set(views.filter((view) => view.objectType === type).map((view) => view.objectId))];
  const { services, viewer } = call;
  const [songs, videos, episodes] = await Promise.all([
    readSongs(call, idsOf('song')),
    videosByIds(services.db, idsOf('video'), viewer),
    episodesByIds(services.db, idsOf('podcast_episode'), viewer),
  ]);
  const songById = new Map([...songs].map((song) => [song.view.doc.id, { ...song, position: 1 }]));
  const videoById = new Map(videos.map((video) => [video.id, video]));
  const episodeById = new Map(episodes.map((episode) => [episode.id, episode]));
  const one = <T>(thing: T | undefined): readonly T[] => (thing === undefined ? [] : [thing]);
  return views.map((view) => {
    if (view.objectType === 'song') return { view, owner, songs: one(songById.get(view.objectId)) };
    if (view.objectType === 'video') return { view, owner, videos: one(videoById.get(view.objectId)) };
    return { view, owner, episodes: one(episodeById.get(view.objectId)) };
  });
};

/** A page of bookmarks, counted in JSON alone (versions.md section 3.1). */
const listed = (
  call: CallerCall<Pick<ListParams, 'offset' | 'limit'> & { include?: boolean }>,
  ids: readonly number[],
): Promise<NativeResult> =>
  pageResult(call, new IdList(Int32Array.from(ids)), {
    table: bookmarkObject,
    read: async (page) => shown(call, await bookmarksByIds(call.services.db, page, call.viewer, bookmarkedTypes(call.services))),
    counted: call.format === 'json',
  });

const whole = { offset: 0, limit: undefined };

/** One bookmark; what is not there, or somebody else's, is an empty list (native README section 7). */
const single = async (call: CallerCall<{ include?: boolean }>, view: BookmarkView | undefined): Promise<NativeResult> => {
  const [bookmark] = view ? await shown(call, [view]) : [];
  if (!bookmark) return listed({ ...call, params: whole }, []);
  return objectResult(bookmarkObject, bookmark, { counted: false, md5: () => listMd5(Int32Array.of(bookmark.view.id)) });
};

/** The latest of those that are meant, or all of them. */
const looked = async (call: CallerCall<Lookup & { all: boolean; include: boolean }>): Promise<NativeResult> => {
  const ids = await namedIds(call);
  if (call.params.all && call.policy.version >= CLIENTS_SINCE)
    return listed({ ...call, params: { ...whole, include: call.params.include } }, ids);
  const [latest] = ids;
  return single(call, latest === undefined ? undefined : await ownBookmark(bookmarkerOf(call), latest));
};

/** A client's name keeps its bookmark apart from those of other clients; without one it is the bookmark of the thing itself. */
const create = async (
  call: CallerCall<{
    filter: string;
    type: string;
    client?: string | undefined;
    date?: string | undefined;
    position: string;
    include: boolean;
  }>,
): Promise<NativeResult> => {
  const client = call.params.client === '' ? undefined : call.params.client;
  const put = { ...placeOf(call), label: client, isApart: client !== undefined };
  return single(call, await putBookmark(bookmarkerOf(call), await objectOf(call), put));
};

const lookup = { filter: required, type: required, client: label };
/** Parameters that a method looks at in this order: what it is about, then where it is to stand. */
const placing = { position, date, include: flag };

/** Methods that keep where somebody stopped in something (methods.json). */
export const bookmarkMethods = {
  bookmarks: method({
    versions,
    access: 5,
    params: z.object({ client: label, include: flag, offset, limit }),
    run: async (call) => {
      const client = call.policy.version < CLIENTS_SINCE ? undefined : call.params.client;
      return listed(call, await ownBookmarkIds(bookmarkerOf(call), client === undefined || client === '' ? {} : { label: client }, 'id'));
    },
  }),
  // A REST path names the thing in the place of the bookmark.
  bookmark: method({
    versions: [6, 8],
    access: 5,
    params: z.object({ filter: required, type: z.string().default(BY_NUMBER), all: flag, include: flag }),
    run: looked,
  }),
  get_bookmark: method({
    versions,
    access: 5,
    params: z.object({ filter: required, type: required, all: flag, include: flag }),
    run: looked,
  }),
  bookmark_create: method({ versions, access: 5, params: z.object({ ...lookup, ...placing }), run: create }),
  bookmark_edit: method({
    versions,
    access: 5,
    params: z.object({ ...lookup, ...placing }),
    run: async (call) => single(call, await shiftBookmark(bookmarkerOf(call), await named(call), placeOf(call))),
  }),
  bookmark_delete: method({
    versions,
    access: 5,
    params: z.object({ ...lookup, type: z.string().optional() }),
    run: async (call) => {
      if (call.params.type === undefined && call.policy.version < CLIENTS_SINCE) throw missing('type');
      const { type = BY_NUMBER } = call.params;
      const view = await named({ ...call, params: { ...call.params, type } });
      await dropBookmarks(bookmarkerOf(call), [view.id]);
      return { kind: 'success', message: `Deleted Bookmark: ${view.id}` };
    },
  }),
};
