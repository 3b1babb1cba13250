import type { Exchange } from '../media/send-bytes.js';
import {
  buildObject,
  compileJson,
  compileXml,
  type FieldNode,
  type ObjectNode,
  type ObjectTable,
  type ObjectText,
  type Profile,
  type RenderedList,
} from '../render/index.js';
import type { IdList } from '../reads/id-list.js';
import type { NativeContext } from './objects/context.js';
import type { Format } from './versions/policy.js';

/** XML of the native API spells booleans as digits. */
export const NATIVE_XML = { booleans: 'digit' } as const;

/** How an answer is to be written. */
export interface Rendering {
  readonly format: Format;
  readonly profile: Profile;
  readonly context: NativeContext;
}

/** Objects of one table, at hand or still to come, without the table's types. */
export interface Items {
  readonly isEmpty: boolean;
  /** True for a list that is too long to be held whole: it is sent while it is read. */
  readonly isLong: boolean;
  render(rendering: Rendering): RenderedList['items'];
}

/** What a method answers; the version's policy wraps it, the format's printer prints it. */
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
      /** True when the fields hold a list that is sent while it is read. */
      readonly isLong?: boolean;
      /** An object; in JSON it may also be a bare list. */
      readonly build: (rendering: Rendering) => ObjectNode | RenderedList;
    }
  | { readonly kind: 'success'; readonly message: string; readonly extra?: readonly FieldNode[] }
  | { readonly kind: 'bytes'; readonly send: (exchange: Exchange) => Promise<unknown> };

// One compiled writer per table, version and format, made when it is first needed.
const compiled = new WeakMap<object, Map<string, unknown>>();

/** The compiled writer of a table for a version and format. */
export const compiledFor = <T>(
  table: ObjectTable<T, NativeContext>,
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

// One object after the other, so that each is garbage before the next is made.
function* renderEach<T>(sources: Iterable<T>, write: (source: T) => string): Generator<string> {
  for (const source of sources) yield write(source);
}

/** Objects that come in batches while they are written. */
export const itemsFrom = <T>(
  table: ObjectTable<T, NativeContext>,
  batches: AsyncIterable<Iterable<T>>,
  size: { readonly isEmpty: boolean; readonly isLong: boolean },
): Items => ({
  ...size,
  render: (rendering) => {
    const write = compiledFor(table, rendering);
    return renderBatches(batches, (source) => write(source, rendering.context));
  },
});

/** One object, in its kind's envelope. */
export const objectResult = <T>(
  table: ObjectTable<T, NativeContext>,
  source: T,
  options: { counted: boolean; md5: () => string },
): NativeResult => ({
  kind: 'object',
  name: table.kind,
  ...options,
  build: ({ context, profile }) => buildObject(table, source, context, profile),
});

/** One object whose fields are the answer's own. */
export const fieldsResult = <T>(table: ObjectTable<T, NativeContext>, source: T): NativeResult => ({
  kind: 'fields',
  build: ({ context, profile }) => buildObject(table, source, context, profile),
});
