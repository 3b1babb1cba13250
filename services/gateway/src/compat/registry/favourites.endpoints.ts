import type { AnnotatedKind } from '@continuo/contracts';
import { annotate, type Opinion } from '../../annotations/annotate.js';
import type { AnnotatedObject } from '../../reads/annotated-objects.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { scopeOf } from '../../reads/catalog-scope.reads.js';
import { favouriteIds } from '../../reads/favourites.reads.js';
import { foldedSongsByIds } from '../../reads/songs.reads.js';
import { objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { parseId, type CompatKind } from '../ids.js';
import { listsByFolders, listsByTags, type ThreeLists } from '../objects/search.object.js';
import { musicFolder, requiredText, textList } from '../parameters.js';
import { action, anybody, document, type Call, type UserCallBase } from './endpoint.js';
import { shownAlbums } from './shown-albums.js';

/** What can be rated or be a favourite, in our own words. */
const kinds: Partial<Record<CompatKind, AnnotatedKind>> = {
  song: 'song',
  album: 'album',
  artist: 'artist',
  folder: 'folder',
  video: 'video',
  playlist: 'playlist',
  smartlist: 'search',
  podcast: 'podcast',
  episode: 'podcast_episode',
  station: 'live_stream',
};

const nothingThere = (): CompatError => new CompatError(70, 'There is nothing with this id');

/** The thing that an id names; a bare number is one of `fallback`. */
const objectOf = (text: string, fallback: CompatKind): AnnotatedObject => {
  const id = parseId(text, fallback);
  const kind = id && kinds[id.kind];
  if (!id || !kind) throw nothingThere();
  return { kind, objectId: id.id };
};

const say = async ({ services, context, viewer }: UserCallBase, objects: readonly AnnotatedObject[], opinion: Opinion): Promise<void> => {
  const { absent } = await annotate({ services, context, viewer }, objects, opinion);
  if (absent) throw nothingThere();
};

const idLists = { id: textList, albumId: textList, artistId: textList };
type IdLists = { readonly [K in keyof typeof idLists]: readonly string[] };

/** Clients of the folder mode name albums and artists by `id`, as they do folders, so that the prefix counts and not the parameter. */
const setStars =
  (flagged: boolean) =>
  async (call: Call<IdLists>): Promise<void> => {
    const { id, albumId, artistId } = call.params;
    const objects = [
      ...id.map((text) => objectOf(text, 'song')),
      ...albumId.map((text) => objectOf(text, 'album')),
      ...artistId.map((text) => objectOf(text, 'artist')),
    ];
    if (objects.length === 0) throw new CompatError(10, 'Required parameter is missing: id');
    await say(call, objects, { flagged });
  };

const rating = requiredText.transform((text, context) => {
  if (/^[0-5]$/.test(text.trim())) return Number(text);
  context.addIssue({ code: 'custom', message: 'must be 0 to 5' });
  return NaN;
});

const starred = async ({ params, services, viewer }: Call<{ musicFolderId: number | null | undefined }>): Promise<ThreeLists> => {
  const { db } = services;
  const scope = scopeOf(viewer, params.musicFolderId);
  const idsOf = (kind: 'artist' | 'album' | 'song'): Promise<number[]> => favouriteIds(db, viewer.userId, { kind, scope });
  const [artists, albums, songs] = await Promise.all([
    idsOf('artist').then((ids) => artistsByIds(db, ids, viewer)),
    idsOf('album').then((ids) => shownAlbums({ services, viewer }, ids)),
    // Favourites have no pages: each song is unfolded when it is written.
    idsOf('song').then((ids) => foldedSongsByIds(db, ids, viewer)),
  ]);
  return { artists, albums, songs };
};

/** Favourites and ratings. */
export const favouriteEndpoints = {
  star: action({ access: anybody, params: idLists, act: setStars(true) }),
  unstar: action({ access: anybody, params: idLists, act: setStars(false) }),
  setRating: action({
    access: anybody,
    params: { id: requiredText, rating },
    act: (call) => say(call, [objectOf(call.params.id, 'song')], { rating: call.params.rating }),
  }),
  getStarred: document({
    access: anybody,
    params: { musicFolderId: musicFolder },
    body: objectBody('starred', listsByFolders),
    answer: starred,
  }),
  getStarred2: document({
    access: anybody,
    params: { musicFolderId: musicFolder },
    body: objectBody('starred2', listsByTags),
    answer: starred,
  }),
} as const;
