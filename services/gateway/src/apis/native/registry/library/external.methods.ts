import { artistId, externalMetadataKind, refreshArtistInfo, Rejection, type Fact } from '@continuo/contracts';
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
import { objectNamed, seenObject, type Named } from '../../named-object.js';
import { idOf, named, required } from '../../params.js';
import { success, type NativeResult } from '../../result.js';
import { pageOf, type TypeServices } from '../lists/native-types.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';
import type { HasClock } from '../../../../server/needs.js';

type Services = TypeServices & HasPlugins & HasClock;
const { method } = methodsUsing<Services>();

/** Timeout for several services in sequence, ms. */
const REFRESH_MS = 60_000;
const NOTHING = new IdList(new Int32Array(0));

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

const seen = { song: songsByIds, album: albumsByIds, artist: artistsByIds, label: labelsByIds } as const;

/** External metadata of an object from each plug-in; nothing is stored. */
const externalMetadata = async (call: CallerCall<{ filter: string; type: string }, Services>): Promise<NativeResult> => {
  const { params } = call;
  const kind = externalMetadataKind.safeParse(params.type.toLowerCase());
  if (!kind.success) throw badValue('type', params.type, oneOf(externalMetadataKind.options));
  const id = idOf(params.filter);
  const found = await seenObject<unknown>(call, seen[kind.data], params.filter);
  // An unknown id is a bad request here.
  if (id === undefined || found === undefined)
    throw badValue('filter', params.filter, `must be the id of ${kind.data === 'song' || kind.data === 'label' ? 'a' : 'an'} ${kind.data}`);
  const answers = await pluginMetadataOf(call, kind.data, id);
  // An empty answer is the empty list of the kind.
  if (answers.length === 0) return pageOf({ ...call, params: { offset: 0, limit: undefined } }, kind.data, NOTHING);
  const plugins = objectNode(answers.map(({ plugin, facts }) => fieldNode(plugin, objectNode(Object.entries(facts).map(factField)))));
  const fields = [
    fieldNode('object_id', String(id), AS_CDATA),
    fieldNode('object_type', kind.data, AS_CDATA),
    fieldNode('plugin', plugins),
  ];
  return { kind: 'fields', build: () => objectNode(fields) };
};

/** Refreshes the stored external metadata of an artist. */
const updateArtistInfo = async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
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
  return success(`Updated artist info: ${artist.id}`);
};

/** Methods about external metadata from plug-ins. */
export const externalMethods = {
  get_external_metadata: method({ versions: [6, 8], access: 5, params: z.object({ ...named, type: required }), run: externalMetadata }),
  update_artist_info: method({
    versions: [4, 5, 6, 8],
    access: 75,
    aliases: { filter: ['id', 'filter'] },
    params: z.object(named),
    run: updateArtistInfo,
  }),
};
