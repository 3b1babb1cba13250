import { z } from 'zod';
import { artistsByIds } from '../../../../reads/library/artists.reads.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { artistsWith, expandedResult, firstOf, type IncludedInArtists } from '../../expansion.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById } from '../../named-object.js';
import { artistObject } from '../../objects/artist.object.js';
import { songObject } from '../../objects/song.object.js';
import { by, listQuery, pageResult, type ListParams } from '../../paging.js';
import { changed, flag, include, matching, named, paging, positions } from '../../params.js';
import { objectResult, type NativeResult } from '../../result.js';
import { albumsWhere } from './album.methods.js';
import { below } from '../lists/of-kind.js';
import { readArtists, songReader } from '../lists/reading.js';
import { songsBy } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

const TOP = 50;

const NOTHING: IncludedInArtists = { albums: false, songs: false };

/** A page of artists by name. */
export const artistsWhere = async (
  call: CallerCall<ListParams, Services>,
  own: readonly Condition[],
  included: IncludedInArtists = NOTHING,
): Promise<NativeResult> => {
  const list = await call.services.lists.ids(listQuery('artist', call.params, own, by('name')), call.viewer);
  if (included.albums || included.songs) {
    return expandedResult(call, list, { table: artistObject, steps: (ids) => artistsWith(call, ids, included) });
  }
  return pageResult(call, list, { table: artistObject, read: (ids) => readArtists(call, ids) });
};

/** Most played songs of an artist, at most fifty, in fixed order. */
const topSongs = async (call: CallerCall<ListParams, Services>, own: readonly Condition[]): Promise<NativeResult> => {
  const query = listQuery('song', { ...call.params, sort: undefined }, own, { name: 'object_count', descending: true });
  const list = await call.services.lists.ids(query, call.viewer);
  const top = new IdList(list.page(0, TOP));
  return pageResult(call, top, { table: songObject, read: songReader(call) });
};

/** Methods about artists. */
export const artistMethods = {
  artists: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...paging, ...matching, ...changed, include, album_artist: flag }),
    run: (call) => {
      const own = call.params.album_artist ? [{ name: 'album_artist', value: '1' }] : [];
      return artistsWhere(call, own, { albums: call.params.include('albums'), songs: call.params.include('songs') });
    },
  }),
  artist: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...named, include }),
    run: async (call) => {
      const { filter, include: has } = call.params;
      const included = { albums: has('albums'), songs: has('songs') };
      const artist = await foundById(filter, (id) => firstOf(artistsWith(call, Int32Array.of(id), included)));
      return objectResult(artistObject, artist, artist.view.id);
    },
  }),
  artist_albums: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...paging, ...named, album_artist: flag }),
    run: (call) => below(artistsByIds, call.params.album_artist ? 'album_artist' : 'artist', albumsWhere)(call),
  }),
  artist_songs: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...paging, positions, ...named, top50: flag }),
    run: (call) => below(artistsByIds, 'artist', call.params.top50 ? topSongs : songsBy('name'))(call),
  }),
};
