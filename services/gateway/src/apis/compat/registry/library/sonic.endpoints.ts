import { MAX_SONIC_MATCHES } from '@continuo/contracts';
import { matchedSongs, similarSounds, soundPath, type SoundCaller } from '../../../../features/sonic/matched-songs.js';
import { listBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { sonicMatch } from '../../objects/sonic-match.object.js';
import { count, idOf } from '../../parameters.js';
import { endpointsUsing, anybody, type DocumentEndpoint, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasSonic } from '../../../../features/sonic/sonic-sounds.js';

type Services = HasReadModel & HasSonic;
const { document } = endpointsUsing<Services>();

/** Defaults of the extension; both are capped. */
const USUAL_SIMILAR = 10;
const USUAL_PATH = 25;
/** A path includes both ends. */
const SHORTEST_PATH = 2;

/** Without a sonic back end the operation is unsupported; tags are no substitute. */
const requireSonicBackEnd = (row: DocumentEndpoint<Services>): DocumentEndpoint<Services> => ({
  ...row,
  run: async (call) => {
    if (!(await call.services.sonic.isOn())) throw new CompatError(30, 'There is no sonic analysis on this server');
    return row.run(call);
  },
});

const callerOf = ({ services, viewer, context }: UserCallBase<Services>): SoundCaller => ({ services, viewer, log: context.log });

/** Operations of the extension `sonicSimilarity`. */
export const sonicEndpoints = {
  getSonicSimilarTracks: requireSonicBackEnd(
    document({
      access: anybody,
      open: true,
      params: { id: idOf('song'), count: count(USUAL_SIMILAR, MAX_SONIC_MATCHES) },
      body: listBody('sonicMatch', sonicMatch),
      answer: async (call) => {
        const caller = callerOf(call);
        return matchedSongs(caller, await similarSounds(caller, call.params.id, call.params.count));
      },
    }),
  ),
  findSonicPath: requireSonicBackEnd(
    document({
      access: anybody,
      open: true,
      params: { startSongId: idOf('song'), endSongId: idOf('song'), count: count(USUAL_PATH, MAX_SONIC_MATCHES) },
      body: listBody('sonicMatch', sonicMatch),
      answer: async (call) => {
        const { startSongId, endSongId, count: wanted } = call.params;
        const caller = callerOf(call);
        return matchedSongs(caller, await soundPath(caller, [startSongId, endSongId], Math.max(SHORTEST_PATH, wanted)));
      },
    }),
  ),
} as const;
