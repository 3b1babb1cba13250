import { MAX_SONIC_MATCHES } from '@continuo/contracts';
import { matchedSongs, similarSounds, soundPath, type SoundCaller } from '../../sonic/matched-songs.js';
import { listBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { sonicMatch } from '../objects/sonic-match.object.js';
import { count, idOf } from '../parameters.js';
import { anybody, document, type DocumentEndpoint, type UserCallBase } from './endpoint.js';

/** As the extension's description says; both are capped. */
const USUAL_SIMILAR = 10;
const USUAL_PATH = 25;
/** Both ends belong to every way. */
const SHORTEST_PATH = 2;

/** Without a back end an operation is unsupported, whatever it is asked (compat facts, section 4): tags are never compared in its place. */
const whileOn = (row: DocumentEndpoint): DocumentEndpoint => ({
  ...row,
  run: async (call) => {
    if (!(await call.services.sonic.isOn())) throw new CompatError(30, 'There is no sonic analysis on this server');
    return row.run(call);
  },
});

const callerOf = ({ services, viewer, context }: UserCallBase): SoundCaller => ({ services, viewer, log: context.log });

/** What sounds alike (extension `sonicSimilarity`). */
export const sonicEndpoints = {
  getSonicSimilarTracks: whileOn(
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
  findSonicPath: whileOn(
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
