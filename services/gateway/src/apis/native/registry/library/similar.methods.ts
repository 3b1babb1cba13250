import { z } from 'zod';
import { findSimilarArtists, findSimilarSongs } from '../../../../features/external-metadata/similar.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import { badValue, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound } from '../../named-object.js';
import { pageResult } from '../../paging.js';
import { idOf, limit, named, offset, required } from '../../params.js';
import type { NativeResult } from '../../result.js';
import { nativeTypes, type TypeServices } from '../lists/native-types.js';
import type { HasClock } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';

type Services = TypeServices & HasPlugins & HasClock;
const { method } = methodsUsing<Services>();

/** Most similar songs. */
const MOST_SONGS = 5;
const MOST_ARTISTS = 10;

const similarParams = z.object({ ...named, type: required, offset, limit });
type SimilarParams = z.output<typeof similarParams>;

const similar = async (call: CallerCall<SimilarParams, Services>): Promise<NativeResult> => {
  const { params, viewer, policy, format } = call;
  if (params.type !== 'song' && params.type !== 'artist') throw badValue('type', params.type, oneOf(['song', 'artist']));
  const id = idOf(params.filter) ?? 0;
  // XML of older versions has names only.
  const isSlim = format === 'xml' && policy.version <= 5;
  const found =
    params.type === 'song'
      ? await findSimilarSongs(call, { id, viewer, limit: MOST_SONGS })
      : await findSimilarArtists(call, { id, viewer, limit: MOST_ARTISTS });
  const list = new IdList(Int32Array.from(orNotFound(found, params.filter)));
  const shaped = params.type === 'song' ? nativeTypes.song.shaped : nativeTypes.artist.indexed;
  return shaped(call, isSlim, (shape) => pageResult(call, list, shape));
};

/** Method for similar songs and artists, from plug-ins and the library's tags. */
export const similarMethods = {
  get_similar: method({ versions: [4, 5, 6, 8], access: 5, params: similarParams, run: similar }),
};
