import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Defence } from './defence.js';

const FOLDERS = ['services/gateway/src/reads', 'services/gateway/src/search'];
const SPEC = 'services/gateway/test/access-matrix/hidden-catalog.int.spec.ts';
const CALL = /(?<!const )inVisibleCatalogs\((?<viewer>[\w.]+), (?=sql|col)/g;

/** A place of a file and what makes it unlike all others: the line and the one before. */
interface Place {
  readonly at: number;
  readonly line: number;
}

const placesIn = (text: string): Place[] =>
  [...text.matchAll(CALL)].map(({ index }) => ({ at: index, line: text.slice(0, index).split('\n').length }));

/** A catalog list that holds every catalog that a test has: the condition stays, and hides nothing. */
const seeingAll = (text: string, at: number): string =>
  `${text.slice(0, at)}${text.slice(at).replace(CALL, "inVisibleCatalogs({ ...$<viewer>, catalogs: 'all' }, ")}`;

/** Replaces one call alone. */
const without = (text: string, { at }: Place): string => {
  const end = text.indexOf(', ', at) + 2;
  return text.slice(0, at) + seeingAll(text.slice(at, end) + text.slice(end, end + 3), 0).slice(0, -3) + text.slice(end);
};

/** One defence for each place in a read that asks for visible catalogs, the whole file being what is replaced. */
export const everyRead = async (root: string): Promise<readonly Defence[]> => {
  const found: Defence[] = [];
  for (const folder of FOLDERS) {
    const files = (await readdir(join(root, folder), { recursive: true }))
      .filter((name) => /(?<!\.spec|\.fixture)\.ts$/.test(name))
      .toSorted();
    for (const name of files) {
      const file = `${folder}/${name}`;
      const text = await readFile(join(root, file), 'utf8');
      for (const place of placesIn(text)) {
        const against = `see a hidden catalog at line ${place.line}`;
        found.push({ threat: 17, against, file, find: text, replace: without(text, place), spec: SPEC });
      }
    }
  }
  return found;
};
