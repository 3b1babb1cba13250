import type { SoundTable } from './sound-table.js';

/** Pairs that are looked at for what is usual. */
const PAIRS = 2000;

/** Usual distance between two songs of a table: the median of some pairs, always the same ones. 1 when there are too few songs to tell. */
export const usualDistance = (table: SoundTable, songIds: readonly number[]): number => {
  const distances: number[] = [];
  const { length } = songIds;
  const all = (length * (length - 1)) / 2;
  for (let n = 0; n < Math.min(PAIRS, all); n += 1) {
    // Every pair of a few; of many, pairs spread by numbers that have no common factor with what is usual for lengths of albums.
    const first = n % length;
    const second = (first + 1 + ((n * 7919) % Math.max(1, length - 1))) % length;
    const vector = table.vectorOf(songIds[first] ?? 0);
    const distance = vector && table.distanceOf(songIds[second] ?? 0, vector);
    if (distance !== undefined && distance > 0) distances.push(distance);
  }
  return distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 1;
};

/** Songs at the usual distance are alike by this much. */
const USUAL_SIMILARITY = 0.2;

/** A distance turned into a similarity: 1 for the same sound, 0.2 for any two songs of the library, towards 0 for what has nothing in common. */
export const similarityAt = (distance: number, usual: number): number => {
  const ratio = distance / usual;
  return rounded(1 / (1 + (1 / USUAL_SIMILARITY - 1) * ratio * ratio));
};

/** The same for distances of a back end elsewhere, of whose measure nothing is known; a negative one is not known. */
export const similarityOfForeign = (distance: number): number => (distance < 0 ? -1 : rounded(1 / (1 + distance)));

/** More digits mean nothing, vectors being kept in bytes. */
const rounded = (similarity: number): number => Math.round(Math.min(1, Math.max(0, similarity)) * 10_000) / 10_000;
