import { artistId, externalMetadataKind, refreshArtistInfo, Rejection, type Fact, type ExternalMetadataKind } from '@continuo/contracts';
import { z } from 'zod';
import { runLongCommand } from '../../../../server/commands.js';
import { pluginMetadataOf } from '../../../../features/external-metadata/external-metadata.js';
import { albumsByIds } from '../../../../reads/library/albums.reads.js';
import { artistsByIds } from '../../../../reads/library/artists.reads.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import { labelsByIds } from '../../../../reads/library/labels.reads.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import { AS_CDATA, fieldNode, listNode, objectNode, type Node } from '../../../../render/index.js';
import { badValue, featureOff, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { albumObject } from '../../objects/album.object.js';
import { artistObject } from '../../objects/artist.object.js';
import { labelObject } from '../../objects/label.object.js';
import { songObject } from '../../objects/song.object.js';
import { pageResult } from '../../paging.js';
import { idOf, required } from '../../params.js';
import type { NativeResult } from '../../result.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel & HasPlugins & HasClock;
const { method } = methodsUsing<Services>();

/** Timeout for several services in sequence, ms. */
const REFRESH_MS = 60_000;

/** A value: text as such, lists as repeated elements. */
const factNode = (fact: Fact | string | number): Node => {
  if (typeof fact === 'string' || typeof fact === 'number') return fact;
  return listNode(
    fact.map((item) =>
      typeof item === 'string' ? item : objectNode(Object.entries(item).map(([name, value]) => fieldNode(name, value, AS_CDATA))),
    ),
  );
};

const factField = ([name, fact]: [string, Fact]) => fieldNode(name, factNode(fact), typeof fact === 'string' ? AS_CDATA : undefined);

/** An empty answer is the empty list of the kind. */
const nothing = (call: CallerCall<unknown, Services>, kind: ExternalMetadataKind): Promise<NativeResult> => {
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

/** External metadata of an object from each plug-in; nothing is stored. */
const externalMetadata = async (call: CallerCall<{ filter: string; type: string }, Services>): Promise<NativeResult> => {
  const { params, services, viewer } = call;
  const kind = externalMetadataKind.safeParse(params.type.toLowerCase());
  if (!kind.success) throw badValue('type', params.type, oneOf(externalMetadataKind.options));
  const id = idOf(params.filter);
  const found = id === undefined ? [] : await seen[kind.data](services.db, [id], viewer);
  // An unknown id is a bad request here.
  if (id === undefined || found.length === 0)
    throw badValue('filter', params.filter, `must be the id of ${kind.data === 'song' || kind.data === 'label' ? 'a' : 'an'} ${kind.data}`);
  const answers = await pluginMetadataOf(call, kind.data, id);
  if (answers.length === 0) return nothing(call, kind.data);
  const plugins = objectNode(answers.map(({ plugin, facts }) => fieldNode(plugin, objectNode(Object.entries(facts).map(factField)))));
  const fields = [
    fieldNode('object_id', String(id), AS_CDATA),
    fieldNode('object_type', kind.data, AS_CDATA),
    fieldNode('plugin', plugins),
  ];
  return { kind: 'fields', build: () => objectNode(fields) };
};

/** Refreshes the stored external metadata of an artist. */
const updateArtistInfo = async (call: CallerCall<{ filter: string }, Services>): Promise<NativeResult> => {
  const { params, services, context } = call;
  const artist = await objectNamed(call, artistsByIds, params.filter);
  if (!(await services.plugins.can('metadata.artist'))) throw featureOff('lastfm_api_key');
  const how = { command: refreshArtistInfo, timeoutMs: REFRESH_MS };
  const { isEnabled, isKnown } = await runLongCommand(services, context, how, {
    artistId: artistId.parse(artist.id),
    isWanted: true,
  }).catch((error: unknown) => {
    // Deleted meanwhile.
    if (error instanceof Rejection && error.code === 'artist.not-found') throw notFound('filter', params.filter);
    throw error;
  });
  if (!isEnabled) throw featureOff('lastfm_api_key');
  if (!isKnown) throw badValue('filter', params.filter, 'must be an artist that a plug-in knows');
  return { kind: 'success', message: `Updated artist info: ${artist.id}` };
};

/** Methods about external metadata from plug-ins. */
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
