import { z } from 'zod';
import { findSimilarArtists, findSimilarSongs } from '../../../../features/external-metadata/similar.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import { badValue, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { artistObject } from '../../objects/artist.object.js';
import { slimArtistObject, slimSongObject } from '../../objects/slim.object.js';
import { songObject } from '../../objects/song.object.js';
import { pageResult } from '../../paging.js';
import { idOf, limit, offset, required } from '../../params.js';
import type { NativeResult } from '../../result.js';
import { readSlimArtists } from '../lists/native-types.js';
import { readArtists, songReader } from '../lists/reading.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasCommands & HasConfig & HasReadModel & HasPlugins & HasPreferences & HasClock;
const { method } = methodsUsing<Services>();

/** Most similar songs. */
const MOST_SONGS = 5;
const MOST_ARTISTS = 10;

const similarParams = z.object({ filter: required, type: required, offset, limit });
type SimilarParams = z.output<typeof similarParams>;

const listOf = (call: CallerCall<SimilarParams, Services>, ids: readonly number[] | undefined): IdList => {
  if (!ids) throw notFound('filter', call.params.filter);
  return new IdList(Int32Array.from(ids));
};

const similar = async (call: CallerCall<SimilarParams, Services>): Promise<NativeResult> => {
  const { params, viewer, policy, format } = call;
  if (params.type !== 'song' && params.type !== 'artist') throw badValue('type', params.type, oneOf(['song', 'artist']));
  const id = idOf(params.filter) ?? 0;
  // XML of older versions has names only.
  const isSlim = format === 'xml' && policy.version <= 5;
  if (params.type === 'song') {
    const list = listOf(call, await findSimilarSongs(call, { id, viewer, limit: MOST_SONGS }));
    return pageResult(call, list, { table: isSlim ? slimSongObject : songObject, read: songReader(call) });
  }
  const list = listOf(call, await findSimilarArtists(call, { id, viewer, limit: MOST_ARTISTS }));
  if (isSlim) return pageResult(call, list, { table: slimArtistObject, read: (ids) => readSlimArtists(call, ids) });
  return pageResult(call, list, { table: artistObject, read: (ids) => readArtists(call, ids) });
};

/** Method for similar songs and artists, from plug-ins and the library's tags. */
export const similarMethods = {
  get_similar: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: similarParams,
    run: similar,
  }),
};
