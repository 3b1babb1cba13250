import { DEMOCRATIC_LIST } from '@continuo/contracts';
import { z } from 'zod';
import { castVote, requireDemocratic } from '../../../../features/democratic/voting.js';
import { votedSongs, type VotedSong } from '../../../../reads/plays/democratic.reads.js';
import { listMd5 } from '../../../../reads/lists/id-list.js';
import { visibleSongs } from '../../../../reads/playlists/playlist-songs.reads.js';
import { foldedSongsByIds } from '../../../../reads/songs/songs.reads.js';
import { AS_CDATA, fieldNode, objectNode } from '../../../../render/index.js';
import { badValue, missing, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { democraticSongObject, type NativeDemocraticSong } from '../../objects/democratic-song.object.js';
import { limit, offset, optional, required } from '../../params.js';
import { itemsFrom, type NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasCommands & HasReadModel & HasPreferences & HasConfig;
const { method } = methodsUsing<Services>();

const democraticParams = z.object({ method: required, oid: optional, offset, limit });
type DemocraticCall = CallerCall<z.output<typeof democraticParams>, Services>;

/** Songs read and written at a time. */
const BATCH = 500;

/** Voted song; must be visible to the caller. @throws NativeRefusal 4710 without an id, 4704 when there is no such song */
const votedSong = async (call: DemocraticCall): Promise<number> => {
  const text = call.params.oid?.trim() ?? '';
  if (text === '') throw missing('oid');
  return objectNamed(call, visibleSongs, text, 'oid');
};

const vote = async (call: DemocraticCall, wants: boolean): Promise<NativeResult> => {
  const isDone = await castVote(call, await votedSong(call), wants);
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

/** Songs with votes in playing order: a bare list. */
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

/** Handlers by the parameter `method`. */
const handlers: Readonly<Record<string, (call: DemocraticCall) => Promise<NativeResult> | NativeResult>> = {
  vote: (call) => vote(call, true),
  devote: (call) => vote(call, false),
  playlist,
  play,
};

/** Methods of democratic play. */
export const democraticMethods = {
  democratic: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    aliases: { oid: ['oid', 'filter'] },
    params: democraticParams,
    run: async (call) => {
      const answer = Object.hasOwn(handlers, call.params.method) ? handlers[call.params.method] : undefined;
      if (!answer) throw badValue('method', call.params.method, oneOf(Object.keys(handlers)));
      await requireDemocratic(call.services, call.viewer);
      return answer(call);
    },
  }),
};
