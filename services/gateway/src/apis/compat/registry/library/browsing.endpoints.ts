import { ARTICLES, Rejection } from '@continuo/contracts';
import { countedArtists } from '../../../../reads/library/artist-albums.reads.js';
import { allArtists } from '../../../../reads/library/artist-index.reads.js';
import { artistsByIds } from '../../../../reads/library/artists.reads.js';
import { scopeOf } from '../../../../reads/visibility/catalog-scope.reads.js';
import { songsByIds, songsOfAlbum } from '../../../../reads/songs/songs.reads.js';
import { allGenres } from '../../../../reads/songs/songs-by-genre.reads.js';
import { groupedFlows, HELD_AT_MOST, heldFlow } from '../../../../render/flow.js';
import { containerBody, objectBody } from '../../documents.js';
import { groupByLetter } from '../../letters.js';
import { albumWithSongs } from '../../objects/album.object.js';
import { artists, artistWithAlbums } from '../../objects/artist.object.js';
import { songChild } from '../../objects/child.object.js';
import { genre } from '../../objects/small.object.js';
import { idOf, musicFolder } from '../../parameters.js';
import { endpointsUsing, anybody } from '../endpoint.js';
import { albumsUnderArtist, albumsWithPlays } from './albums-with-plays.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasPreferences;
const { document } = endpointsUsing<Services>();

/** Articles that sorting ignores. */
export const ignoredArticles = ARTICLES.join(' ');

/** Operations for browsing by tags. */
export const browsingEndpoints = {
  getArtists: document({
    access: anybody,
    params: { musicFolderId: musicFolder },
    body: objectBody('artists', artists),
    flows: true,
    kept: () => true,
    answer: async ({ params, services, viewer }) => {
      const scope = scopeOf(viewer, params.musicFolderId);
      const all = await allArtists(services.db, scope);
      const isLong = all.length > HELD_AT_MOST;
      const letters = groupByLetter(all, ({ sortKey }) => sortKey);
      const read = (batch: Int32Array) => countedArtists(services.db, batch, { ...viewer, catalogs: scope });
      const flows = groupedFlows(
        letters.map(({ members }) => members.map(({ id }) => id)),
        Object.assign(read, { atATime: HELD_AT_MOST }),
        isLong,
      );
      return { ignoredArticles, groups: letters.map(({ letter }, index) => ({ letter, members: flows[index] ?? heldFlow([]) })) };
    },
  }),

  getArtist: document({
    access: anybody,
    params: { id: idOf('artist'), musicFolderId: musicFolder },
    body: objectBody('artist', artistWithAlbums),
    flows: true,
    answer: async (call) => {
      const { params, viewer } = call;
      const { db } = call.services;
      const [[artist], albums] = await Promise.all([
        artistsByIds(db, [params.id], viewer),
        albumsUnderArtist(call, params.id, scopeOf(viewer, params.musicFolderId)),
      ]);
      if (!artist) throw new Rejection('artist.not-found');
      return { artist, albums };
    },
  }),

  getAlbum: document({
    access: anybody,
    params: { id: idOf('album') },
    body: objectBody('album', albumWithSongs),
    flows: true,
    answer: async (call) => {
      const [[album], songs] = await Promise.all([
        albumsWithPlays(call, [call.params.id]),
        songsOfAlbum(call.services.db, call.params.id, call.viewer),
      ]);
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
