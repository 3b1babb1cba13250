import { objectTable, rowsOf, type ObjectTable } from '../../render/index.js';
import type { NamedView } from '../../reads/names.reads.js';
import type { NativeContext } from './context.js';

/** A thing by its name; some lists have texts for ids. */
export interface ListItem extends Omit<NamedView, 'id'> {
  readonly id: number | string;
}

const named = rowsOf<ListItem, NativeContext>();
const namedRows = [
  named.id('id', (item) => item.id),
  named.text('name', (item) => item.name),
  named.text('prefix', (item) => item.prefix),
  named.text('basename', (item) => item.basename),
];

/** A thing by its name, as `list` shows it (versions.md section 6.1). */
export const listItemObject = objectTable('list', namedRows);

/** The same as `browse` shows it. */
export const browseItemObject = objectTable('browse', namedRows);

/** A thing by its id, with the ids of what hangs off it. */
export interface IndexEntry {
  readonly id: number | string;
  readonly children: Int32Array;
}

const bareId = rowsOf<number, NativeContext>();
const idObject = objectTable('id', [bareId.id('id', (id) => id)]);
const entry = rowsOf<IndexEntry, NativeContext>();

const indexTables = new Map<string, ObjectTable<IndexEntry, NativeContext>>();

/** An entry of `index` in XML: an element with the id, around one of each child (native README section 9). Made once, so that it is compiled once. */
export const indexEntryObject = (element: string, childElement: string): ObjectTable<IndexEntry, NativeContext> => {
  const key = `${element}/${childElement}`;
  const rows = [entry.id('id', ({ id }) => id), entry.list(childElement, idObject, ({ children }) => Array.from(children))];
  const table = indexTables.get(key) ?? objectTable(element, rows);
  indexTables.set(key, table);
  return table;
};
