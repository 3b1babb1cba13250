import { objectTable, rowsOf, type ObjectTable } from '../../../render/index.js';
import type { NamedView } from '../../../kinds/names.reads.js';
import type { NativeContext } from './context.js';

/** An object by name; some lists have string ids. */
export interface ListItem extends Omit<NamedView, 'id'> {
  readonly id: number | string;
}

const named = rowsOf<ListItem, NativeContext>();
const namedRows = [
  named.id('id', (item) => item.id),
  named.text('name', (item) => item.name),
  named.text('prefix', (item) => item.prefix, { nullable: true }),
  named.text('basename', (item) => item.basename),
];

/** Entry of `list`. */
export const listItemObject = objectTable('list', namedRows, 'list_item');

/** Entry of `browse`. */
export const browseItemObject = objectTable('browse', namedRows, 'browse_item');

/** An object's id with the ids of its children. */
export interface IndexEntry {
  readonly id: number | string;
  readonly children: Int32Array;
}

const bareId = rowsOf<number, NativeContext>();
const idObject = objectTable('id', [bareId.id('id', (id) => id)]);
const entry = rowsOf<IndexEntry, NativeContext>();

const indexTables = new Map<string, ObjectTable<IndexEntry, NativeContext>>();

/** Entry of `index` in XML: an element with the id around one element per child. Created once, so that it is compiled once. */
export const indexEntryObject = (element: string, childElement: string): ObjectTable<IndexEntry, NativeContext> => {
  const key = `${element}/${childElement}`;
  const rows = [entry.id('id', ({ id }) => id), entry.list(childElement, idObject, ({ children }) => Array.from(children))];
  const table = indexTables.get(key) ?? objectTable(element, rows);
  indexTables.set(key, table);
  return table;
};
