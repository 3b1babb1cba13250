import { z } from 'zod';
import { artistsLike, songsLike } from '../../facts/alike.js';
import { IdList } from '../../reads/id-list.js';
import { badValue, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { artistObject } from '../objects/artist.object.js';
import { slimArtistObject, slimSongObject } from '../objects/slim.object.js';
import { songObject } from '../objects/song.object.js';
import { pageResult } from '../paging.js';
import { idOf, limit, offset, required } from '../params.js';
import type { NativeResult } from '../result.js';
import { readSlimArtists } from './indexed-objects.js';
import { readArtists, readSongs } from './reading.js';

/** As many as are looked for. */
const MOST_SONGS = 5;
const MOST_ARTISTS = 10;

interface SimilarParams {
  readonly filter: string;
  readonly type: string;
  readonly offset: number;
  readonly limit: number | undefined;
}

const listOf = (call: CallerCall<SimilarParams>, ids: readonly number[] | undefined): IdList => {
  if (!ids) throw notFound('filter', call.params.filter);
  return new IdList(Int32Array.from(ids));
};

const similar = async (call: CallerCall<SimilarParams>): Promise<NativeResult> => {
  const { params, services, request, viewer, policy, format } = call;
  if (params.type !== 'song' && params.type !== 'artist') throw badValue('type', params.type);
  const id = idOf(params.filter) ?? 0;
  // XML of the older versions has names alone (versions.md section 8).
  const isSlim = format === 'xml' && policy.version <= 5;
  const facts = { services, context: request };
  if (params.type === 'song') {
    const list = listOf(call, await songsLike(facts, { id, viewer, limit: MOST_SONGS }));
    return pageResult(call, list, { table: isSlim ? slimSongObject : songObject, read: (ids, start) => readSongs(call, ids, start) });
  }
  const list = listOf(call, await artistsLike(facts, { id, viewer, limit: MOST_ARTISTS }));
  if (isSlim) return pageResult(call, list, { table: slimArtistObject, read: (ids) => readSlimArtists(call, ids) });
  return pageResult(call, list, { table: artistObject, read: (ids) => readArtists(call, ids) });
};

/** What is like a song or an artist, by what plug-ins say and by the library's own tags. */
export const similarMethods = {
  get_similar: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ filter: required, type: required, offset, limit }),
    run: similar,
  }),
};
