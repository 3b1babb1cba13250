import { artistId, factsKind, refreshArtistInfo, Rejection, type Fact, type FactsKind } from '@continuo/contracts';
import { z } from 'zod';
import { runLongCommand } from '../../commands.js';
import { factsAbout } from '../../facts/artist-facts.js';
import { albumsByIds } from '../../reads/albums.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { IdList } from '../../reads/id-list.js';
import { labelsByIds } from '../../reads/labels.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { AS_CDATA, fieldNode, listNode, objectNode, type Node } from '../../render/index.js';
import { badValue, featureOff, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { albumObject } from '../objects/album.object.js';
import { artistObject } from '../objects/artist.object.js';
import { labelObject } from '../objects/label.object.js';
import { songObject } from '../objects/song.object.js';
import { pageResult } from '../paging.js';
import { idOf, required } from '../params.js';
import type { NativeResult } from '../result.js';

/** Several services, one after the other, each with its turns. */
const REFRESH_MS = 60_000;

/** A fact: texts as such, lists as repeated elements. */
const factNode = (fact: Fact | string | number): Node => {
  if (typeof fact === 'string' || typeof fact === 'number') return fact;
  return listNode(
    fact.map((item) =>
      typeof item === 'string' ? item : objectNode(Object.entries(item).map(([name, value]) => fieldNode(name, value, AS_CDATA))),
    ),
  );
};

const factField = ([name, fact]: [string, Fact]) => fieldNode(name, factNode(fact), typeof fact === 'string' ? AS_CDATA : undefined);

/** An answer without anything is the empty list of the kind (methods.json). */
const nothing = (call: CallerCall<unknown>, kind: FactsKind): Promise<NativeResult> => {
  const none = new IdList(new Int32Array());
  const paged = { ...call, params: { offset: 0, limit: undefined } };
  switch (kind) {
    case 'song':
      return pageResult(paged, none, { table: songObject, read: async () => [] });
    case 'album':
      return pageResult(paged, none, { table: albumObject, read: async () => [] });
    case 'artist':
      return pageResult(paged, none, { table: artistObject, read: async () => [] });
    case 'label':
      return pageResult(paged, none, { table: labelObject, read: async () => [] });
  }
};

const seen = {
  song: songsByIds,
  album: albumsByIds,
  artist: artistsByIds,
  label: labelsByIds,
} as const;

/** What each plug-in says of a thing, now; nothing of it is kept. */
const externalMetadata = async (call: CallerCall<{ filter: string; type: string }>): Promise<NativeResult> => {
  const { params, services, viewer, request } = call;
  const kind = factsKind.safeParse(params.type.toLowerCase());
  if (!kind.success) throw badValue('type', params.type);
  const id = idOf(params.filter);
  const found = id === undefined ? [] : await seen[kind.data](services.db, [id], viewer);
  // An unknown id is a bad request here (methods.json).
  if (id === undefined || found.length === 0) throw badValue('filter', params.filter);
  const answers = await factsAbout({ services, context: request }, kind.data, id);
  if (answers.length === 0) return nothing(call, kind.data);
  const plugins = objectNode(answers.map(({ plugin, facts }) => fieldNode(plugin, objectNode(Object.entries(facts).map(factField)))));
  const fields = [
    fieldNode('object_id', String(id), AS_CDATA),
    fieldNode('object_type', kind.data, AS_CDATA),
    fieldNode('plugin', plugins),
  ];
  return { kind: 'fields', build: () => objectNode(fields) };
};

/** Asks plug-ins about an artist and keeps what they say. */
const updateArtistInfo = async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
  const { params, services, viewer, request } = call;
  const id = idOf(params.filter);
  const [artist] = id === undefined ? [] : await artistsByIds(services.db, [id], viewer);
  if (!artist) throw notFound('filter', params.filter);
  if (!(await services.plugins.can('metadata.artist'))) throw featureOff('lastfm_api_key');
  const how = { command: refreshArtistInfo, timeoutMs: REFRESH_MS };
  const { isEnabled, isKnown } = await runLongCommand(services, request, how, {
    artistId: artistId.parse(artist.id),
    isWanted: true,
  }).catch((error: unknown) => {
    // Gone in the same moment.
    if (error instanceof Rejection && error.code === 'artist.not-found') throw notFound('filter', params.filter);
    throw error;
  });
  if (!isEnabled) throw featureOff('lastfm_api_key');
  if (!isKnown) throw badValue('filter', params.filter);
  return { kind: 'success', message: `Updated artist info: ${artist.id}` };
};

/** Methods that ask other services, by plug-ins. */
export const externalMethods = {
  get_external_metadata: method({
    versions: [6, 8],
    access: 5,
    params: z.object({ filter: required, type: required }),
    run: externalMetadata,
  }),
  update_artist_info: method({
    versions: [4, 5, 6, 8],
    access: 75,
    aliases: { filter: ['id', 'filter'] },
    params: z.object({ filter: required }),
    run: updateArtistInfo,
  }),
};
