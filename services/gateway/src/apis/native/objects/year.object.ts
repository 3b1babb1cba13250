import type { YearView } from '../../../reads/library/years.reads.js';
import { nativeObject } from './native-object.js';

/** Fields of a year, whose id is the year itself. */
export const yearObject = nativeObject<YearView>('year', (of) => [
  of.id('id', ({ year }) => year),
  of.int('albums', ({ albums }) => albums),
  of.int('songs', ({ songs }) => songs),
]);
