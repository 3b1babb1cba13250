import { MAX_SONIC_MATCHES, Rejection, type SonicMatch } from '@continuo/contracts';
import { z } from 'zod';
import { IdList } from '../../../../reads/lists/id-list.js';
import { similarSounds } from '../../../../features/sonic/matched-songs.js';
import { featureOff, notFound } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { sonicMatchObject, type NativeSonicMatch } from '../../objects/sonic-match.object.js';
import { pageResult } from '../../paging.js';
import { idOf, named, offset, pageSize } from '../../params.js';
import type { NativeResult } from '../../result.js';
import { readSongs } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasSonic } from '../../../../features/sonic/sonic-sounds.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasSonic & HasPreferences;
const { method } = methodsUsing<Services>();

/** Default number of matches. */
const USUAL_MATCHES = 50;

const sonicParams = z.object({ ...named, offset, limit: pageSize(USUAL_MATCHES) });
type SonicParams = z.output<typeof sonicParams>;

/** Number of matches to read: the page and everything before it. */
const matchCount = ({ offset: first, limit }: SonicParams): number =>
  limit === undefined ? MAX_SONIC_MATCHES : Math.min(MAX_SONIC_MATCHES, first + limit);

/** @throws NativeRefusal 4704 for a song that the caller does not see */
const matchesOf = async ({ params, services, viewer, context }: CallerCall<SonicParams, Services>): Promise<readonly SonicMatch[]> => {
  const id = idOf(params.filter);
  if (id === undefined) throw notFound('filter', params.filter);
  try {
    return await similarSounds({ services, viewer, log: context.log }, id, matchCount(params));
  } catch (error) {
    if (error instanceof Rejection && error.code === 'song.not-found') throw notFound('filter', params.filter);
    throw error;
  }
};

const sonicMatches = async (call: CallerCall<SonicParams, Services>): Promise<NativeResult> => {
  if (!(await call.services.sonic.isOn())) throw featureOff('sonic_analysis');
  const matches = await matchesOf(call);
  const similarities = new Map(matches.map(({ songId, similarity }) => [songId, similarity]));
  const read = async (ids: Int32Array, start: number): Promise<NativeSonicMatch[]> =>
    [...(await readSongs(call, ids, start))].map((song) => ({ ...song, similarity: similarities.get(song.view.doc.id) ?? -1 }));
  const list = new IdList(Int32Array.from(matches, ({ songId }) => songId));
  return pageResult(call, list, { table: sonicMatchObject, read, counted: false });
};

/** Methods for similar-sounding songs. */
export const sonicMethods = {
  sonic_match: method({ versions: [8], access: 5, params: sonicParams, run: sonicMatches }),
};
