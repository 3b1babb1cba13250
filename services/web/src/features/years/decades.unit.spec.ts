import { expect, it } from 'vitest';
import { decadesOf } from './decades.js';

const year = (id: string, albums: number) => ({ id, albums, songs: albums * 10 });

it('puts years into decades, newest first, and adds their albums', () =>
  expect(decadesOf([year('1989', 1), year('1990', 2), year('1999', 3), year('2024', 4)])).toEqual([
    { first: 2020, albums: 4, years: [year('2024', 4)] },
    { first: 1990, albums: 5, years: [year('1999', 3), year('1990', 2)] },
    { first: 1980, albums: 1, years: [year('1989', 1)] },
  ]));
