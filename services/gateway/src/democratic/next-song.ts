import { DEMOCRATIC_LIST, MAX_TURN_CANDIDATES, Rejection, songId as toSongId, takeDemocraticTurn } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { textParam } from '../http/parameters.js';
import { messageContext, type CallerContext } from '../http/request-context.js';
import { votedSongs } from '../reads/democratic.reads.js';
import { songFile } from '../reads/songs.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { baseSong } from './base-song.js';
import { requireDemocratic } from './voting.js';

/** A request for what plays of the list that people vote on. */
export interface Listening {
  readonly request: FastifyRequest;
  readonly services: GatewayServices;
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** Names of clients are cut to this. */
const CLIENT_LENGTH = 255;

type Part = 'fresh' | 'first-part' | 'later-part';

/**
 * What a request is for. Without a range it is for the next song; players that work with ranges ask for the beginning of a song and then for its parts, some of
 * them for the beginning several times. Who asks for a second of the song, or for a slice of it, is in the middle of it as well.
 */
const partOf = ({ method, headers: { range } }: FastifyRequest, { params }: CallerContext): Part => {
  const isInside = ['frame', 'segment'].some((name) => Number(textParam(params, name) ?? 0) > 0);
  if (method === 'HEAD' || isInside) return 'later-part';
  if (range === undefined) return 'fresh';
  return range.startsWith('bytes=0-') ? 'first-part' : 'later-part';
};

interface Offer {
  readonly candidates: readonly { readonly songId: number; readonly durationMs: number }[];
  readonly otherwise: { readonly songId: number; readonly durationMs: number } | null;
}

/** What may come next for the listener: nothing that they may not see, whoever voted for it. */
const offerFor = async ({ services, viewer }: Listening): Promise<Offer> => {
  const [candidates, base] = await Promise.all([
    votedSongs(services.db, viewer, { limit: MAX_TURN_CANDIDATES }),
    baseSong(services, viewer),
  ]);
  const song = base === undefined ? undefined : await songFile(services.db, base, viewer);
  return { candidates, otherwise: song ? { songId: song.id, durationMs: song.durationMs } : null };
};

const playables = ({ candidates, otherwise }: Offer) => {
  const playable = ({ songId, durationMs }: Offer['candidates'][number]) => ({ songId: toSongId.parse(songId), durationMs });
  return { candidates: candidates.map(playable), otherwise: otherwise && playable(otherwise) };
};

/**
 * The song that an address with `demo_id` plays now: the next one that people voted for, whose votes are used up by that, or the one whose parts the client is
 * fetching.
 * @throws Rejection `feature.disabled`; `song.not-found` when there is no such list, or nothing to play
 */
export const nextDemocraticSong = async (listening: Listening): Promise<number> => {
  const { request, services, context, viewer } = listening;
  await requireDemocratic(services, viewer);
  if (textParam(context.params, 'demo_id')?.trim() !== String(DEMOCRATIC_LIST))
    throw new Rejection('song.not-found', 'there is no such list');
  const part = partOf(request, context);
  const offer = part === 'later-part' ? { candidates: [], otherwise: null } : await offerFor(listening);
  const { id: userId } = context.caller.account;
  const client = context.caller.client.slice(0, CLIENT_LENGTH);
  const data = { listId: DEMOCRATIC_LIST, userId, client, request: part, ...playables(offer) };
  const { result } = await services.commands.send(takeDemocraticTurn, data, messageContext(context));
  if (result.songId !== null) return result.songId;
  // Who only looks is shown what would come, and takes nothing.
  const { candidates, otherwise } = request.method === 'HEAD' ? await offerFor(listening) : offer;
  const shown = request.method === 'HEAD' ? (candidates[0] ?? otherwise) : null;
  if (!shown) throw new Rejection('song.not-found', 'there is nothing to play');
  return shown.songId;
};
