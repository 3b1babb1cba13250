import { MAX_SONIC_MATCHES, Rejection, type SonicMatch } from '@continuo/contracts';
import { z } from 'zod';
import { IdList } from '../../reads/id-list.js';
import { similarSounds } from '../../sonic/matched-songs.js';
import { featureOff, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { sonicMatchObject, type NativeSonicMatch } from '../objects/sonic-match.object.js';
import { pageResult } from '../paging.js';
import { idOf, offset, required } from '../params.js';
import type { NativeResult } from '../result.js';
import { readSongs } from './reading.js';

interface SonicParams {
  readonly filter: string;
  readonly offset: number;
  readonly limit: number | undefined;
}

/** Matches that are answered when nothing is said of how many. */
const USUAL_MATCHES = 50;
const DIGITS = /^\d{1,9}$/;

/** Size of the page: 50 when absent, 0 or no number, undefined for `none`. */
const matchLimit = z
  .string()
  .optional()
  .transform((text) => {
    const trimmed = text?.trim().toLowerCase() ?? '';
    if (trimmed === 'none') return undefined;
    return DIGITS.test(trimmed) && Number(trimmed) > 0 ? Number(trimmed) : USUAL_MATCHES;
  });

/** As many as are looked for: those of the page and all before it. */
const wanted = ({ offset: first, limit }: SonicParams): number =>
  limit === undefined ? MAX_SONIC_MATCHES : Math.min(MAX_SONIC_MATCHES, first + limit);

/** @throws NativeRefusal 4704 for a song that the caller does not have */
const matchesOf = async ({ params, services, viewer, request }: CallerCall<SonicParams>): Promise<readonly SonicMatch[]> => {
  const id = idOf(params.filter);
  if (id === undefined) throw notFound('filter', params.filter);
  try {
    return await similarSounds({ services, viewer, log: request.log }, id, wanted(params));
  } catch (error) {
    if (error instanceof Rejection && error.code === 'song.not-found') throw notFound('filter', params.filter);
    throw error;
  }
};

const sonicMatches = async (call: CallerCall<SonicParams>): Promise<NativeResult> => {
  if (!(await call.services.sonic.isOn())) throw featureOff('sonic_analysis');
  const matches = await matchesOf(call);
  const similarities = new Map(matches.map(({ songId, similarity }) => [songId, similarity]));
  const read = async (ids: Int32Array, start: number): Promise<NativeSonicMatch[]> =>
    [...(await readSongs(call, ids, start))].map((song) => ({ ...song, similarity: similarities.get(song.view.doc.id) ?? -1 }));
  const list = new IdList(Int32Array.from(matches, ({ songId }) => songId));
  return pageResult(call, list, { table: sonicMatchObject, read, counted: false });
};

/** What sounds like a song. */
export const sonicMethods = {
  sonic_match: method({
    versions: [8],
    access: 5,
    params: z.object({ filter: required, offset, limit: matchLimit }),
    run: sonicMatches,
  }),
};
