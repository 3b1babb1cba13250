import type { YearView } from '../../../reads/library/years.reads.js';
import { objectTable, rowsOf } from '../../../render/index.js';
import type { NativeContext } from './context.js';

const of = rowsOf<YearView, NativeContext>();

/** Fields of a year, whose id is the year itself. */
export const yearObject = objectTable<YearView, NativeContext>('year', [
  of.id('id', ({ year }) => year),
  of.int('albums', ({ albums }) => albums),
  of.int('songs', ({ songs }) => songs),
]);
