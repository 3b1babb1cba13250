import type { CollectedKind, FiledKind } from '@continuo/contracts';
import {
  AS_ATTRIBUTE,
  buildObject,
  fieldNode,
  listNode,
  objectNode,
  type FieldNode,
  type Node,
  type ObjectNode,
} from '../../../../render/index.js';
import type { NativeTable } from '../../objects/native-object.js';
import type { NativeResult, Rendering } from '../../result.js';
import { nativeTypes, type ObjectReader } from './native-types.js';

/** Kinds of entries of collections and playlist folders. */
export type EntryKind = CollectedKind | FiledKind;

/** An entry of a list of mixed kinds. */
export interface ListEntry {
  readonly kind: EntryKind;
  readonly objectId: number;
}

type Build = (rendering: Rendering) => ObjectNode;

/** Numeric id of an object, whose field may be a string or have the smartlist prefix. */
const idIn = ({ fields }: ObjectNode): number => {
  const id = fields.find(({ name }) => name === 'id')?.value;
  return typeof id === 'number' ? id : typeof id === 'string' ? Number(id.slice(id.indexOf('_') + 1)) : Number.NaN;
};

/** Reads objects of one kind by id; ids are known only after an object is built, since they are ordinary fields. */
const readKind = async (reader: ObjectReader, kind: EntryKind, ids: readonly number[]): Promise<readonly Build[]> => {
  if (kind === 'live_stream' && !reader.services.config.LIVE_STREAM) return [];
  // Smartlists have negative ids among playlists.
  const [type, sign] = kind === 'smartlist' ? (['playlist', -1] as const) : ([kind, 1] as const);
  const numbers = Int32Array.from(ids, (id) => id * sign);
  return nativeTypes[type].shaped(reader, false, async ({ table, read }) =>
    Array.from(
      await read(numbers, 0),
      (source) =>
        ({ context, profile }: Rendering) =>
          buildObject(table, source, context, profile),
    ),
  );
};

/** Reads objects of several kinds, with few queries per kind; deleted ones are left out. */
const readEntries = async (
  reader: ObjectReader,
  held: readonly ListEntry[],
): Promise<(rendering: Rendering) => (object: ListEntry) => ObjectNode | undefined> => {
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

/** Object of a list of mixed kinds with a page of its entries, each with attributes, its kind and the object itself. */
export const contentsResult = async <T, E extends ListEntry>(
  reader: ObjectReader,
  page: readonly E[],
  list: { readonly table: NativeTable<T>; readonly source: T; readonly attributesOf: (entry: E) => readonly FieldNode[] },
): Promise<NativeResult> => {
  const { table, source, attributesOf } = list;
  const held = await readEntries(reader, page);
  const build = (rendering: Rendering): ObjectNode => {
    const nodeOf = held(rendering);
    const contents = page.flatMap((entry): Node[] => {
      const node = nodeOf(entry);
      const { kind } = entry;
      return node ? [objectNode([...attributesOf(entry), fieldNode('object_type', kind, AS_ATTRIBUTE), fieldNode(kind, node)])] : [];
    });
    const { fields } = buildObject(table, source, rendering.context, rendering.profile);
    const items = fieldNode('contents', listNode(contents), { json: 'key', xml: 'wrapped', item: 'item' });
    return objectNode([fieldNode(table.kind, objectNode([...fields, items]))]);
  };
  return { kind: 'fields', build };
};
