import type { CollectedKind, FiledKind } from '@continuo/contracts';
import { collectionsByIds } from '../../reads/collections.reads.js';
import { liveStreamsByIds } from '../../reads/live-streams.reads.js';
import { buildObject, type ObjectNode } from '../../render/index.js';
import type { SearchType } from '../../search/index.js';
import { collectionObject } from '../objects/collection.object.js';
import { liveStreamObject } from '../objects/live-stream.object.js';
import type { Rendering } from '../result.js';
import type { Reader } from './reading.js';
import { withFoundShape } from './searched-objects.js';

/** Kinds of things that a collection or a folder of lists holds. */
export type HeldKind = CollectedKind | FiledKind;

/** A thing that something of mixed kinds holds. */
export interface HeldObject {
  readonly kind: HeldKind;
  readonly objectId: number;
}

/** Smartlists are read among playlists, under negative numbers. */
const SMARTLIST_SIGN = -1;

interface Reading {
  readonly type: SearchType;
  readonly sign: number;
}

const readAs = (kind: Exclude<HeldKind, 'collection' | 'live_stream'>): Reading =>
  kind === 'smartlist' ? { type: 'playlist', sign: SMARTLIST_SIGN } : { type: kind, sign: 1 };

type Build = (rendering: Rendering) => ObjectNode;

/** The number in an object's id, which may be a text or have the prefix of smartlists. */
const idIn = ({ fields }: ObjectNode): number => {
  const id = fields.find(({ name }) => name === 'id')?.value;
  return typeof id === 'number' ? id : typeof id === 'string' ? Number(id.slice(id.indexOf('_') + 1)) : Number.NaN;
};

/** Reads things of one kind. What each of them is, is known only once it is built: its id is a field as others are. */
const readKind = async (reader: Reader, kind: HeldKind, ids: readonly number[]): Promise<readonly Build[]> => {
  if (kind === 'collection') {
    const views = await collectionsByIds(reader.services.db, ids, reader.viewer);
    return views.map(
      (view) =>
        ({ context, profile }: Rendering) =>
          buildObject(collectionObject, view, context, profile),
    );
  }
  if (kind === 'live_stream') {
    if (!reader.services.config.LIVE_STREAM) return [];
    const views = await liveStreamsByIds(reader.services.db, ids, reader.viewer);
    return views.map(
      (view) =>
        ({ context, profile }: Rendering) =>
          buildObject(liveStreamObject, view, context, profile),
    );
  }
  const reading = readAs(kind);
  const numbers = Int32Array.from(ids, (id) => id * reading.sign);
  return withFoundShape(reading.type, reader, false, async ({ table, read }) => {
    const sources = [...(await read(numbers, 0))];
    return sources.map(
      (source) =>
        ({ context, profile }: Rendering) =>
          buildObject(table, source, context, profile),
    );
  });
};

/** Reads things of several kinds, one statement or few per kind; what is gone has no node. */
export const readHeld = async (
  reader: Reader,
  held: readonly HeldObject[],
): Promise<(rendering: Rendering) => (object: HeldObject) => ObjectNode | undefined> => {
  const kinds = [...Map.groupBy(held, ({ kind }) => kind)];
  const builds = await Promise.all(
    kinds.map(async ([kind, objects]) => ({
      kind,
      builds: await readKind(reader, kind, [...new Set(objects.map(({ objectId }) => objectId))]),
    })),
  );
  return (rendering) => {
    const nodes = new Map(
      builds.flatMap(({ kind, builds: some }) =>
        some.map((build) => {
          const node = build(rendering);
          return [`${kind}:${idIn(node)}`, node] as const;
        }),
      ),
    );
    return ({ kind, objectId }) => nodes.get(`${kind}:${objectId}`);
  };
};
