import type { NamedView } from '../../../kinds/names.reads.js';
import { nativeObject, type NativeTable } from './native-object.js';

/** An object by name; some lists have string ids. */
export interface ListItem extends Omit<NamedView, 'id'> {
  readonly id: number | string;
}

/** Entry of `list`. */
export const listItemObject = nativeObject<ListItem>({ kind: 'list', schema: 'list_item' }, (of) => [
  of.id('id', (item) => item.id),
  of.text('name', (item) => item.name),
  of.text('prefix', (item) => item.prefix, { nullable: true }),
  of.text('basename', (item) => item.basename),
]);

/** Entry of `browse`. */
export const browseItemObject: NativeTable<ListItem> = { ...listItemObject, kind: 'browse', schema: 'browse_item' };

/** An object's id with the ids of its children. */
export interface IndexEntry {
  readonly id: number | string;
  readonly children: Int32Array;
}

const idObject = nativeObject<number>('id', (of) => [of.id('id', (id) => id)]);

const indexTables = new Map<string, NativeTable<IndexEntry>>();

/** Entry of `index` in XML: an element with the id around one element per child. Created once, so that it is compiled once. */
export const indexEntryObject = (element: string, childElement: string): NativeTable<IndexEntry> => {
  const key = `${element}/${childElement}`;
  const create = () =>
    nativeObject<IndexEntry>(element, (of) => [
      of.id('id', ({ id }) => id),
      of.list(childElement, idObject, ({ children }) => Array.from(children)),
    ]);
  const table = indexTables.get(key) ?? create();
  indexTables.set(key, table);
  return table;
};
