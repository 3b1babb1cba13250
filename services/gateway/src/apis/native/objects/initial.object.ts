import type { ListStart } from '../../../reads/lists/list-starts.js';
import { nativeObject } from './native-object.js';

/** Fields of a first letter or year of a list, whose id is its position. */
export const initialObject = nativeObject<ListStart>('initial', (of) => [
  of.id('id', ({ position }) => position),
  of.text('name', ({ name }) => name),
  of.int('position', ({ position }) => position),
]);
