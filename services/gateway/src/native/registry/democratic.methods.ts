import { DEMOCRATIC_LIST } from '@continuo/contracts';
import { z } from 'zod';
import { castVote, requireDemocratic } from '../../democratic/voting.js';
import { votedSongs, type VotedSong } from '../../reads/democratic.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import { visibleSongs } from '../../reads/playlist-songs.reads.js';
import { foldedSongsByIds } from '../../reads/songs.reads.js';
import { AS_CDATA, fieldNode, objectNode } from '../../render/index.js';
import { badValue, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { democraticSongObject, type NativeDemocraticSong } from '../objects/democratic-song.object.js';
import { idOf, limit, offset, required } from '../params.js';
import { itemsFrom, type NativeResult } from '../result.js';

interface DemocraticParams {
  readonly method: string;
  readonly oid?: string | undefined;
  readonly offset: number;
  readonly limit: number | undefined;
}
type DemocraticCall = CallerCall<DemocraticParams>;

/** Songs that are read and written at a time. */
const BATCH = 500;

/** The song that is voted for. Only what the caller may see can be. @throws NativeRefusal 4710 without one, 4704 when there is no such song */
const wantedSong = async ({ params, services, viewer }: DemocraticCall): Promise<number> => {
  const text = params.oid?.trim() ?? '';
  if (text === '') throw missing('oid');
  const id = idOf(text);
  const [song] = id === undefined ? [] : await visibleSongs(services.db, [id], viewer);
  if (song === undefined) throw notFound('oid', text);
  return song;
};

const vote = async (call: DemocraticCall, wants: boolean): Promise<NativeResult> => {
  const isDone = await castVote({ services: call.services, context: call.request }, await wantedSong(call), wants);
  const result = ({ format }: { readonly format: string }) =>
    format === 'json' ? fieldNode('result', isDone) : fieldNode('result', isDone ? '1' : '0', AS_CDATA);
  return {
    kind: 'fields',
    build: (rendering) => objectNode([fieldNode('method', call.params.method, AS_CDATA), result(rendering)]),
  };
};

async function* songsOf({ services, viewer }: DemocraticCall, voted: readonly VotedSong[]): AsyncGenerator<NativeDemocraticSong[]> {
  for (let from = 0; from < voted.length; from += BATCH) {
    const batch = voted.slice(from, from + BATCH);
    const votes = new Map(batch.map(({ songId, voteCount }) => [songId, voteCount]));
    const views = await foldedSongsByIds(services.db, [...votes.keys()], viewer);
    yield Array.from(views, (view) => ({ view, voteCount: votes.get(view.doc.id) ?? 0 }));
  }
}

/** The songs with votes, in the order of their turns: a bare list (versions.md section 3.1). */
const playlist = async (call: DemocraticCall): Promise<NativeResult> => {
  const { offset: from, limit: size } = call.params;
  const voted = await votedSongs(call.services.db, call.viewer, { offset: from, ...(size === undefined ? {} : { limit: size }) });
  return {
    kind: 'list',
    name: democraticSongObject.kind,
    counted: false,
    list: { total: voted.length, md5: listMd5(Int32Array.from(voted, ({ songId }) => songId)) },
    items: itemsFrom(democraticSongObject, songsOf(call, voted), { isEmpty: voted.length === 0, isLong: voted.length > BATCH }),
  };
};

const play = (): NativeResult => ({
  kind: 'fields',
  build: ({ context: { links } }) => objectNode([fieldNode('url', links.democratic(DEMOCRATIC_LIST), AS_CDATA)]),
});

/** What the parameter `method` asks for. */
const asked: Readonly<Record<string, (call: DemocraticCall) => Promise<NativeResult> | NativeResult>> = {
  vote: (call) => vote(call, true),
  devote: (call) => vote(call, false),
  playlist,
  play,
};

/** Voting for what plays next. */
export const democraticMethods = {
  democratic: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    aliases: { oid: ['oid', 'filter'] },
    params: z.object({ method: required, oid: z.string().optional(), offset, limit }),
    run: async (call) => {
      const answer = Object.hasOwn(asked, call.params.method) ? asked[call.params.method] : undefined;
      if (!answer) throw badValue('method', call.params.method);
      await requireDemocratic(call.services, call.viewer);
      return answer(call);
    },
  }),
};
