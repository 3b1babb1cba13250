import { ARTICLES, Rejection } from '@continuo/contracts';
import { albumIdsUnderArtist, allArtists } from '../../reads/artist-index.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { scopeOf } from '../../reads/catalog-scope.reads.js';
import { songIdsByAlbum, songsByIds, type SongView } from '../../reads/songs.reads.js';
import { allGenres } from '../../reads/songs-by-genre.reads.js';
import { containerBody, objectBody } from '../documents.js';
import { groupByLetter } from '../letters.js';
import { albumWithSongs } from '../objects/album.object.js';
import { artists, artistWithAlbums } from '../objects/artist.object.js';
import { songChild } from '../objects/child.object.js';
import { genre } from '../objects/small.object.js';
import { idOf, musicFolder } from '../parameters.js';
import { anybody, document, type UserCallBase } from './endpoint.js';
import { shownAlbums } from './shown-albums.js';

/** The articles by which names are not sorted, as clients are told them. */
export const ignoredArticles = ARTICLES.join(' ');

/** The songs of an album in the order of its discs and tracks. */
export const songsOfAlbum = async ({ services: { db }, viewer }: UserCallBase, albumId: number): Promise<SongView[]> => {
  const ids = await songIdsByAlbum(db, [albumId], viewer);
  return songsByIds(db, ids.get(albumId) ?? [], viewer);
};

/** Browsing by tags. */
export const browsingEndpoints = {
  getArtists: document({
    access: anybody,
    params: { musicFolderId: musicFolder },
    body: objectBody('artists', artists),
    answer: async ({ params, services, viewer }) => {
      const all = await allArtists(services.db, viewer, scopeOf(viewer, params.musicFolderId));
      return { ignoredArticles, groups: groupByLetter(all, (artist) => artist.sortKey) };
    },
  }),

  getArtist: document({
    access: anybody,
    params: { id: idOf('artist'), musicFolderId: musicFolder },
    body: objectBody('artist', artistWithAlbums),
    answer: async (call) => {
      const { params, viewer } = call;
      const { db } = call.services;
      const [artist] = await artistsByIds(db, [params.id], viewer);
      if (!artist) throw new Rejection('artist.not-found');
      const albumIds = await albumIdsUnderArtist(db, params.id, scopeOf(viewer, params.musicFolderId));
      return { artist, albums: await shownAlbums(call, albumIds) };
    },
  }),

  getAlbum: document({
    access: anybody,
    params: { id: idOf('album') },
    body: objectBody('album', albumWithSongs),
    answer: async (call) => {
      const [[album], songs] = await Promise.all([shownAlbums(call, [call.params.id]), songsOfAlbum(call, call.params.id)]);
      if (!album) throw new Rejection('album.not-found');
      return { album, songs };
    },
  }),

  getSong: document({
    access: anybody,
    params: { id: idOf('song') },
    body: objectBody('song', songChild),
    answer: async ({ params, services, viewer }) => {
      const [song] = await songsByIds(services.db, [params.id], viewer);
      if (!song) throw new Rejection('song.not-found');
      return song;
    },
  }),

  getGenres: document({
    access: anybody,
    params: { musicFolderId: musicFolder },
    body: containerBody('genres', 'genre', genre),
    answer: ({ params, services, viewer }) => allGenres(services.db, { ...viewer, catalogs: scopeOf(viewer, params.musicFolderId) }),
  }),
} as const;
