import { DEMOCRATIC_LIST, MAX_TURN_CANDIDATES, Rejection, songId as toSongId, takeDemocraticTurn } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { textParam } from '../../server/requests/parameters.js';
import { messageContext, type CallerContext, type CallerWith } from '../../server/requests/request-context.js';
import { votedSongs } from '../../reads/plays/democratic.reads.js';
import { songFile } from '../../reads/songs/songs.reads.js';
import { baseSong } from './base-song.js';
import { requireDemocratic } from './voting.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasCommands, HasLog } from '../../server/needs.js';
import type { HasSmartlists } from '../smartlists/running-smartlists.js';

type Services = HasCommands & HasReadModel & HasPreferences & HasSmartlists & HasLog;

/** A request for the song that democratic play selects. */
export interface DemocraticCall extends CallerWith<Services> {
  readonly request: FastifyRequest;
}

/** Longest client name that is kept. */
const CLIENT_LENGTH = 255;

type Part = 'fresh' | 'first-part' | 'later-part';

/**
 * Tells requests for the next song from those for a part of the present one. No range asks for the next song; a range at the beginning may be
 * repeated; a later range, a time offset or a slice continues.
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

/** Candidates for the listener: voted songs that they may see. */
const offerFor = async ({ services, viewer }: DemocraticCall): Promise<Offer> => {
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
 * Selects the song that an address with `demo_id` plays: the next voted song, whose votes are then used up, or the song whose parts the client
 * is fetching.
 * @throws Rejection `feature.disabled`; `song.not-found` when there is no such list, or nothing to play
 */
export const nextDemocraticSong = async (call: DemocraticCall): Promise<number> => {
  const { request, services, context, viewer } = call;
  await requireDemocratic(services, viewer);
  if (textParam(context.params, 'demo_id')?.trim() !== String(DEMOCRATIC_LIST))
    throw new Rejection('song.not-found', 'there is no such list');
  const part = partOf(request, context);
  const offer = part === 'later-part' ? { candidates: [], otherwise: null } : await offerFor(call);
  const { id: userId } = context.caller.account;
  const client = context.caller.client.slice(0, CLIENT_LENGTH);
  const data = { listId: DEMOCRATIC_LIST, userId, client, request: part, ...playables(offer) };
  const { result } = await services.commands.send(takeDemocraticTurn, data, messageContext(context));
  if (result.songId !== null) return result.songId;
  // HEAD must not use up votes.
  const { candidates, otherwise } = request.method === 'HEAD' ? await offerFor(call) : offer;
  const shown = request.method === 'HEAD' ? (candidates[0] ?? otherwise) : null;
  if (!shown) throw new Rejection('song.not-found', 'there is nothing to play');
  return shown.songId;
};
