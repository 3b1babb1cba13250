import type { AnnotatedKind } from '@continuo/contracts';
import { annotate, type Opinion } from '../../../../features/playback/annotate.js';
import type { AnnotatedObject } from '../../../../kinds/visible-objects.reads.js';
import { scopeOf } from '../../../../reads/visibility/catalog-scope.reads.js';
import { favouriteIds } from '../../../../reads/people/favourites.reads.js';
import { objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseId, parseIdOf, type CompatKind } from '../../ids.js';
import { listsByFolders, listsByTags, type ThreeLists } from '../../objects/search.object.js';
import { musicFolder, requiredText, textList } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type UserCallBase } from '../endpoint.js';
import { threeLists } from '../library/three-lists.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasCommands & HasConfig & HasPreferences;
const { document, action } = endpointsUsing<Services>();

/** Kinds that can be rated or flagged. */
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

/** Object of an id; a bare number is a song. */
const objectOf = (text: string): AnnotatedObject => {
  const id = parseId(text, 'song');
  const kind = id && kinds[id.kind];
  if (!id || !kind) throw nothingThere();
  return { kind, objectId: id.id };
};

/** Object of an id of one kind. */
const oneOf = (kind: 'album' | 'artist', text: string): AnnotatedObject => {
  const objectId = parseIdOf(kind, text);
  if (objectId === undefined) throw nothingThere();
  return { kind, objectId };
};

const say = async (
  { services, context, viewer }: UserCallBase<Services>,
  objects: readonly AnnotatedObject[],
  opinion: Opinion,
): Promise<void> => {
  const { absent } = await annotate({ services, context, viewer }, objects, opinion);
  if (absent) throw nothingThere();
};

const idLists = { id: textList, albumId: textList, artistId: textList };
type IdLists = { readonly [K in keyof typeof idLists]: readonly string[] };

/** In folder mode clients pass albums and artists in `id`: the prefix tells the kind. */
const setStars =
  (flagged: boolean) =>
  async (call: Call<IdLists, Services>): Promise<void> => {
    const { id, albumId, artistId } = call.params;
    const objects = [
      ...id.map((text) => objectOf(text)),
      ...albumId.map((text) => oneOf('album', text)),
      ...artistId.map((text) => oneOf('artist', text)),
    ];
    if (objects.length === 0) throw new CompatError(10, 'Required parameter is missing: id');
    await say(call, objects, { flagged });
  };

const rating = requiredText.transform((text, context) => {
  if (/^[0-5]$/.test(text.trim())) return Number(text);
  context.addIssue({ code: 'custom', message: 'must be 0 to 5' });
  return NaN;
});

const starred = async ({ params, services, viewer }: Call<{ musicFolderId: number | null | undefined }, Services>): Promise<ThreeLists> => {
  const { db } = services;
  const scope = scopeOf(viewer, params.musicFolderId);
  const idsOf = (kind: 'artist' | 'album' | 'song'): Promise<number[]> => favouriteIds(db, viewer.userId, { kind, scope });
  const [artists, albums, songs] = await Promise.all([idsOf('artist'), idsOf('album'), idsOf('song')]);
  return threeLists({ services, viewer, scope }, { artists, albums, songs });
};

/** Operations about favourites and ratings. */
export const favouriteEndpoints = {
  star: action({ access: anybody, params: idLists, act: setStars(true) }),
  unstar: action({ access: anybody, params: idLists, act: setStars(false) }),
  setRating: action({
    access: anybody,
    params: { id: requiredText, rating },
    act: (call) => say(call, [objectOf(call.params.id)], { rating: call.params.rating }),
  }),
  getStarred: document({
    access: anybody,
    params: { musicFolderId: musicFolder },
    body: objectBody('starred', listsByFolders),
    flows: true,
    answer: starred,
  }),
  getStarred2: document({
    access: anybody,
    params: { musicFolderId: musicFolder },
    body: objectBody('starred2', listsByTags),
    flows: true,
    answer: starred,
  }),
} as const;
