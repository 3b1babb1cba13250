import type { Exchange } from '../../features/media/send-bytes.js';
import {
  buildObject,
  compileJson,
  compileXml,
  type FieldNode,
  type ObjectNode,
  type ObjectText,
  type Profile,
  type RenderedList,
} from '../../render/index.js';
import { listMd5, type IdList } from '../../reads/lists/id-list.js';
import type { NativeContext } from './objects/context.js';
import type { NativeTable } from './objects/native-object.js';
import type { Format } from './versions/policy.js';

/** Booleans are digits in XML of the native API. */
export const NATIVE_XML = { booleans: 'digit' } as const;

/** Version, format and links of an answer. */
export interface Rendering {
  readonly format: Format;
  readonly profile: Profile;
  readonly context: NativeContext;
}

/** Objects of one table, in memory or still to be read, without the table's types. */
export interface Items {
  readonly isEmpty: boolean;
  /** True when the list is too long for memory: it is sent while it is read. */
  readonly isLong: boolean;
  render(rendering: Rendering): RenderedList['items'];
}

/** Result of a method; the version's policy wraps it and the format's writer prints it. */
export type NativeResult =
  | {
      readonly kind: 'list';
      readonly name: string;
      readonly counted: boolean;
      readonly list: Pick<IdList, 'total' | 'md5'>;
      readonly items: Items;
    }
  | {
      readonly kind: 'object';
      readonly name: string;
      readonly counted: boolean;
      readonly md5: () => string;
      readonly build: (rendering: Rendering) => ObjectNode;
    }
  | {
      readonly kind: 'fields';
      /** Builds an object; in JSON possibly a bare list. */
      readonly build: (rendering: Rendering) => ObjectNode | RenderedList;
    }
  | { readonly kind: 'success'; readonly message: string; readonly extra?: readonly FieldNode[] }
  | { readonly kind: 'bytes'; readonly send: (exchange: Exchange) => Promise<unknown> };

/** List in the envelope of its kind. */
export type NativeList = Extract<NativeResult, { kind: 'list' }>;

// One compiled writer per table, version and format, created at first use.
const compiled = new WeakMap<object, Map<string, unknown>>();

/** Compiled writer of a table for a version and format. */
export const compiledFor = <T>(
  table: NativeTable<T>,
  { format, profile }: Pick<Rendering, 'format' | 'profile'>,
): ObjectText<T, NativeContext> => {
  const writers = compiled.get(table) ?? new Map<string, unknown>();
  compiled.set(table, writers);
  const key = `${format}:${JSON.stringify(profile)}`;
  const known = writers.get(key) as ObjectText<T, NativeContext> | undefined;
  const writer = known ?? (format === 'json' ? compileJson(table, profile) : compileXml(table, profile, NATIVE_XML));
  writers.set(key, writer);
  return writer;
};

async function* renderBatches<T>(batches: AsyncIterable<Iterable<T>>, write: (source: T) => string): AsyncGenerator<Iterable<string>> {
  for await (const batch of batches) yield renderEach(batch, write);
}

// One object at a time, so that each is garbage before the next one is created.
function* renderEach<T>(sources: Iterable<T>, write: (source: T) => string): Generator<string> {
  for (const source of sources) yield write(source);
}

/** Objects read in batches while they are written. */
export const itemsFrom = <T>(
  table: NativeTable<T>,
  batches: AsyncIterable<Iterable<T>>,
  size: { readonly isEmpty: boolean; readonly isLong: boolean },
): Items => ({
  ...size,
  render: (rendering) => {
    const write = compiledFor(table, rendering);
    return renderBatches(batches, (source) => write(source, rendering.context));
  },
});

/** Objects in memory, in the envelope of their kind. Lists of kinds with counters have a content hash, from ids. */
export const heldList = <T>(table: NativeTable<T>, sources: readonly T[], idOf?: (source: T) => number): NativeList => {
  const batches = (async function* () {
    yield sources;
  })();
  const items = itemsFrom(table, batches, { isEmpty: sources.length === 0, isLong: false });
  const list = { total: sources.length, md5: idOf ? listMd5(Int32Array.from(sources, idOf)) : '' };
  return { kind: 'list', name: table.kind, counted: idOf !== undefined, list, items };
};

/** Success without a document. */
export const success = (message: string): NativeResult => ({ kind: 'success', message });

/** One object, in the envelope of its kind; `id` makes the content hash. */
export const objectResult = <T>(table: NativeTable<T>, source: T, id: number, { counted = true } = {}): NativeResult => ({
  kind: 'object',
  name: table.kind,
  counted,
  md5: () => listMd5(Int32Array.of(id)),
  build: ({ context, profile }) => buildObject(table, source, context, profile),
});

/** One object whose fields are those of the answer. */
export const fieldsResult = <T>(table: NativeTable<T>, source: T): NativeResult => ({
  kind: 'fields',
  build: ({ context, profile }) => buildObject(table, source, context, profile),
});
