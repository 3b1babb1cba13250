import type { ListStart } from '../../../reads/lists/list-starts.js';
import { objectTable, rowsOf } from '../../../render/index.js';
import type { NativeContext } from './context.js';

const of = rowsOf<ListStart, NativeContext>();

/** Fields of a first letter or year of a list, whose id is its position. */
export const initialObject = objectTable<ListStart, NativeContext>('initial', [
  of.id('id', ({ position }) => position),
  of.text('name', ({ name }) => name),
  of.int('position', ({ position }) => position),
]);
