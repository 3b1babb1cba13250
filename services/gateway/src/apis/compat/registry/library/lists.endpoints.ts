import { foldName } from '@continuo/contracts';
import type { PlayedAlbum } from '../../../../reads/library/album-plays.reads.js';
import {
  albumIdsByGenre,
  albumIdsByYear,
  albumIdsInOrder,
  genresNamed,
  type NamedGenre,
  latelyPlayedAlbumIds,
  type AlbumOrder,
  type Page,
} from '../../../../reads/library/album-list.reads.js';
import { scopeOf, type CatalogScope } from '../../../../reads/visibility/catalog-scope.reads.js';
import { bestRatedAlbumIds, favouriteIds } from '../../../../reads/people/favourites.reads.js';
import { randomAlbumIds, randomSongIds } from '../../../../reads/songs/random-picks.reads.js';
import { songFlow } from '../../../../reads/songs/songs.reads.js';
import { songIdsByGenre } from '../../../../reads/songs/songs-by-genre.reads.js';
import { heldFlow, type Flow } from '../../../../render/flow.js';
import { containerBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { albumId3 } from '../../objects/album.object.js';
import { albumChild, songChild } from '../../objects/child.object.js';
import { musicFolder, offset, optionalText, optionalYear, pageSize, requiredText, requiredWord } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type Parsed } from '../endpoint.js';
import { albumsWithPlays } from './albums-with-plays.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasRankings } from '../../../../reads/plays/rankings.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasRankings & HasPreferences;
const { document } = endpointsUsing<Services>();

/** Page limit: clients page until a page is shorter than requested. */
const LIST_CAP = 500;
const DEFAULT_SIZE = 10;

/** Types of album lists. */
export const listTypes = [
  'random',
  'newest',
  'highest',
  'frequent',
  'recent',
  'alphabeticalByName',
  'alphabeticalByArtist',
  'starred',
  'byYear',
  'byGenre',
] as const;
type ListType = (typeof listTypes)[number];

const albumListParams = {
  type: requiredWord(...listTypes),
  size: pageSize(DEFAULT_SIZE, LIST_CAP),
  offset,
  fromYear: optionalYear,
  toYear: optionalYear,
  genre: optionalText,
  musicFolderId: musicFolder,
};
type AlbumListParams = Parsed<typeof albumListParams>;

interface AlbumPick extends Page {
  readonly services: Services;
  readonly userId: number;
  readonly scope: CatalogScope;
  readonly params: AlbumListParams;
}
type Picker = (pick: AlbumPick) => Promise<number[]>;

const needed = <V>(value: V | undefined, name: string): V => {
  if (value === undefined) throw new CompatError(10, `Required parameter is missing: ${name}`);
  return value;
};

const inOrder =
  (order: AlbumOrder): Picker =>
  (pick) =>
    albumIdsInOrder(pick.services.db, pick.scope, order, pick);

/** Albums by plays of their songs by all accounts. */
const oftenPlayed: Picker = async ({ services, userId, scope, offset: first, limit }) => {
  const list = await services.rankings.ids({ kind: 'album', ranking: 'popular' }, { userId, catalogs: scope });
  return [...list.page(first, limit)];
};

const pickers: Record<ListType, Picker> = {
  random: ({ services, scope, limit }) => randomAlbumIds(services.db, scope, limit, Math.random()),
  newest: inOrder('newest'),
  frequent: oftenPlayed,
  recent: (pick) => latelyPlayedAlbumIds(pick.services.db, pick.scope, pick),
  highest: (pick) => bestRatedAlbumIds(pick.services.db, pick.scope, pick),
  starred: (pick) => favouriteIds(pick.services.db, pick.userId, { kind: 'album', scope: pick.scope }, pick),
  alphabeticalByName: inOrder('name'),
  alphabeticalByArtist: inOrder('artist'),
  byYear: (pick) =>
    albumIdsByYear(
      pick.services.db,
      pick.scope,
      { from: needed(pick.params.fromYear, 'fromYear'), to: needed(pick.params.toYear, 'toYear') },
      pick,
    ),
  byGenre: async (pick) => {
    const genres = await genresOf(pick.services, needed(pick.params.genre, 'genre'));
    return albumIdsByGenre(pick.services.db, pick.scope, idsOf(genres), pick);
  },
};

const genresOf = (services: Services, name: string): Promise<NamedGenre[]> => genresNamed(services.db, name, foldName(name));
const idsOf = (genres: readonly NamedGenre[]): number[] => genres.map((genre) => genre.id);

const albumList = async ({ params, services, viewer }: Call<AlbumListParams, Services>): Promise<Flow<PlayedAlbum>> => {
  const { size: limit, offset: first } = params;
  const pick: AlbumPick = { params, services, userId: viewer.userId, scope: scopeOf(viewer, params.musicFolderId), limit, offset: first };
  return heldFlow(await albumsWithPlays({ services, viewer }, await pickers[params.type](pick)));
};

/** A random list is another one each time; rankings of long lists may be some seconds old. */
const isAlbumListKept = ({ type }: AlbumListParams): boolean => type !== 'random' && type !== 'frequent';

/** Operations that list albums and songs. */
export const listEndpoints = {
  getAlbumList: document({
    access: anybody,
    params: albumListParams,
    body: containerBody('albumList', 'album', albumChild),
    flows: true,
    kept: isAlbumListKept,
    answer: albumList,
  }),

  getAlbumList2: document({
    access: anybody,
    params: albumListParams,
    body: containerBody('albumList2', 'album', albumId3),
    flows: true,
    kept: isAlbumListKept,
    answer: albumList,
  }),

  getRandomSongs: document({
    access: anybody,
    params: {
      size: pageSize(DEFAULT_SIZE, LIST_CAP),
      genre: optionalText,
      fromYear: optionalYear,
      toYear: optionalYear,
      musicFolderId: musicFolder,
    },
    body: containerBody('randomSongs', 'song', songChild),
    flows: true,
    answer: async ({ params, services, viewer }) => {
      const { genre, fromYear, toYear, size } = params;
      const limits = {
        scope: scopeOf(viewer, params.musicFolderId),
        ...(fromYear !== undefined && { fromYear }),
        ...(toYear !== undefined && { toYear }),
        ...(genre !== undefined && { genres: await genresOf(services, genre) }),
      };
      return songFlow(services.db, await randomSongIds(services.db, limits, size, Math.random()), viewer);
    },
  }),

  getSongsByGenre: document({
    access: anybody,
    params: { genre: requiredText, count: pageSize(DEFAULT_SIZE, LIST_CAP), offset, musicFolderId: musicFolder },
    body: containerBody('songsByGenre', 'song', songChild),
    flows: true,
    answer: async ({ params, services, viewer }) => {
      const page = { limit: params.count, offset: params.offset };
      const ids = await songIdsByGenre(
        services.db,
        scopeOf(viewer, params.musicFolderId),
        idsOf(await genresOf(services, params.genre)),
        page,
      );
      return songFlow(services.db, ids, viewer);
    },
  }),
} as const;
