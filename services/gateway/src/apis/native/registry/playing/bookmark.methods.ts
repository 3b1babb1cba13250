import { MAX_BOOKMARK_LABEL } from '@continuo/contracts';
import { z } from 'zod';
import {
  canBeBookmarked,
  bookmarkedTypes,
  deleteBookmarks,
  ownBookmark,
  ownBookmarkIds,
  playableTypeOf,
  playableTypes,
  createBookmark,
  moveBookmark,
  type BookmarkPosition,
} from '../../../../features/playback/bookmarks.js';
import { bookmarksByIds, type BookmarkedObject, type BookmarkView } from '../../../../reads/plays/bookmarks.reads.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import { episodesByIds } from '../../../../reads/podcasts/podcasts.reads.js';
import { videosByIds } from '../../../../reads/library/videos.reads.js';
import { badValue, missing, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound } from '../../named-object.js';
import { bookmarkObject, type NativeBookmark } from '../../objects/bookmark.object.js';
import { pageResult, type ListParams } from '../../paging.js';
import { flag, idOf, limit, named, offset, optional, required } from '../../params.js';
import { objectResult, success, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { readSongs } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasClock, HasConfig, HasCommands } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import { requireKind } from '../../require-kind.js';

type Services = HasConfig & HasReadModel & HasClock & HasCommands & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

const versions: readonly ApiVersion[] = [5, 6, 8];
/** First version that selects bookmarks by client and includes objects. */
const CLIENTS_SINCE = 6;
const MS_PER_SECOND = 1000;

const label = z
  .string()
  .max(MAX_BOOKMARK_LABEL)
  .transform((text) => text.toWellFormed().trim())
  .optional();
/** Whole seconds. */
const position = z.string().regex(/^\s*\d{1,9}\s*$/, 'must be a number of seconds');
const date = z
  .string()
  .regex(/^\s{0,20}\d{0,12}\s{0,20}$/, 'must be a time in seconds since 1970')
  .optional();

/** Requested position; a time in the future becomes now, or the bookmark would stay the latest. */
const positionOf = ({ params, services }: CallerCall<{ position: string; date?: string | undefined }, Services>): BookmarkPosition => {
  const nowMs = services.now();
  const seconds = params.date?.trim() ?? '';
  return {
    positionMs: Number(params.position) * MS_PER_SECOND,
    atMs: seconds === '' ? nowMs : Math.min(Number(seconds) * MS_PER_SECOND, nowMs),
  };
};

/**
 * Object of type and id. @throws NativeRefusal 4703 when videos or podcasts are off, 4704 when it does not exist, 4710 for an unknown type
 */
const objectOf = async (call: CallerCall<{ filter: string; type: string }, Services>): Promise<BookmarkedObject> => {
  const { type, filter } = call.params;
  const objectType = playableTypeOf(type.trim().toLowerCase());
  if (objectType === undefined) throw badValue('type', type, oneOf(playableTypes));
  requireKind(call, objectType);
  const objectId = idOf(filter);
  if (objectId === undefined || !(await canBeBookmarked(call, { objectType, objectId }))) throw notFound('filter', filter);
  return { objectType, objectId };
};

const BY_NUMBER = 'bookmark';

const lookup = { ...named, type: required, client: label };
type Lookup = z.output<z.ZodObject<typeof lookup>>;

/** Ids of the caller's matching bookmarks, newest first: by id, or by object and client. */
const matchingIds = async (call: CallerCall<Lookup, Services>): Promise<number[]> => {
  const { type, filter, client } = call.params;
  if (type.trim().toLowerCase() === BY_NUMBER) {
    const id = idOf(filter);
    return id === undefined ? [] : ownBookmarkIds(call, { id }, 'latest');
  }
  const picked = client === undefined || client === '' ? {} : { label: client };
  return ownBookmarkIds(call, { object: await objectOf(call), ...picked }, 'latest');
};

/** The caller's matching bookmark. @throws NativeRefusal 4704, also for bookmarks of others */
const findBookmark = async (call: CallerCall<Lookup, Services>): Promise<BookmarkView> => {
  const [id] = await matchingIds(call);
  return orNotFound(id === undefined ? undefined : await ownBookmark(call, id), call.params.filter, 'bookmark');
};

/** Adds their objects to bookmarks, with three queries. */
const withMedia = async (call: CallerCall<{ include?: boolean }, Services>, views: readonly BookmarkView[]): Promise<NativeBookmark[]> => {
  const owner = call.context.caller.account.username;
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

/** A page of bookmarks, counted in JSON only. */
const bookmarkPage = (
  call: CallerCall<Pick<ListParams, 'offset' | 'limit'> & { include?: boolean }, Services>,
  ids: readonly number[],
): Promise<NativeResult> =>
  pageResult(call, new IdList(Int32Array.from(ids)), {
    table: bookmarkObject,
    read: async (page) => withMedia(call, await bookmarksByIds(call.services.db, page, call.viewer, bookmarkedTypes(call.services))),
    counted: call.format === 'json',
  });

const whole = { offset: 0, limit: undefined };

/** One bookmark; an unknown one is an empty list. */
const bookmarkResult = async (call: CallerCall<{ include?: boolean }, Services>, view: BookmarkView | undefined): Promise<NativeResult> => {
  const [bookmark] = view ? await withMedia(call, [view]) : [];
  if (!bookmark) return bookmarkPage({ ...call, params: whole }, []);
  return objectResult(bookmarkObject, bookmark, bookmark.view.id, { counted: false });
};

/** Answers with the latest matching bookmark, or with all. */
const readBookmark = async (call: CallerCall<Lookup & { all: boolean; include: boolean }, Services>): Promise<NativeResult> => {
  const ids = await matchingIds(call);
  if (call.params.all && call.policy.version >= CLIENTS_SINCE)
    return bookmarkPage({ ...call, params: { ...whole, include: call.params.include } }, ids);
  const [latest] = ids;
  return bookmarkResult(call, latest === undefined ? undefined : await ownBookmark(call, latest));
};

/** Position parameters, checked after those of the object. */
const placed = z.object({ ...lookup, position, date, include: flag });

/** Creates a bookmark: one per client if a client is given, else the object's own. */
const create = async (call: CallerCall<z.output<typeof placed>, Services>): Promise<NativeResult> => {
  const client = call.params.client === '' ? undefined : call.params.client;
  const put = { ...positionOf(call), label: client, isApart: client !== undefined };
  return bookmarkResult(call, await createBookmark(call, await objectOf(call), put));
};

/** Methods about bookmarks. */
export const bookmarkMethods = {
  bookmarks: method({
    versions,
    access: 5,
    params: z.object({ client: label, include: flag, offset, limit }),
    run: async (call) => {
      const client = call.policy.version < CLIENTS_SINCE ? undefined : call.params.client;
      return bookmarkPage(call, await ownBookmarkIds(call, client === undefined || client === '' ? {} : { label: client }, 'id'));
    },
  }),
  // REST paths name the object instead of the bookmark.
  bookmark: method({
    versions: [6, 8],
    access: 5,
    params: z.object({ ...named, type: z.string().default(BY_NUMBER), all: flag, include: flag }),
    run: readBookmark,
  }),
  get_bookmark: method({
    versions,
    access: 5,
    params: z.object({ ...named, type: required, all: flag, include: flag }),
    run: readBookmark,
  }),
  bookmark_create: method({ versions, access: 5, params: placed, run: create }),
  bookmark_edit: method({
    versions,
    access: 5,
    params: placed,
    run: async (call) => bookmarkResult(call, await moveBookmark(call, await findBookmark(call), positionOf(call))),
  }),
  bookmark_delete: method({
    versions,
    access: 5,
    params: z.object({ ...lookup, type: optional }),
    run: async (call) => {
      if (call.params.type === undefined && call.policy.version < CLIENTS_SINCE) throw missing('type');
      const { type = BY_NUMBER } = call.params;
      const view = await findBookmark({ ...call, params: { ...call.params, type } });
      await deleteBookmarks(call, [view.id]);
      return success(`Deleted Bookmark: ${view.id}`);
    },
  }),
};
