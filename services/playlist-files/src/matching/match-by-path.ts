import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { absoluteSegments, segmentsOfPath, type PathReading } from '../location/path-readings.js';
import { songsAtLocations, songsByFolderAndName, songsByUniqueName, type CatalogRoot, type SongPlace } from './song-candidates.reads.js';

/** Where songs are looked for, and from where relative paths are seen. */
export interface PathMatching {
  readonly db: Kysely<ReadModel>;
  readonly catalogs: readonly CatalogRoot[];
  /** Folder of the list, names from the root down; undefined when the list lies nowhere (an upload). */
  readonly folder: readonly string[] | undefined;
}

/** An entry that may be found by its path. */
export interface PathQuestion {
  /** Position of the entry in the list. */
  readonly at: number;
  readonly paths: readonly PathReading[];
}

/** Song of each entry that was found, by its position. */
export type Found = Map<number, number>;

/** A name as it stands and in both forms in which Unicode spells accents: file systems differ. */
const spellings = (segments: readonly string[]): (readonly string[])[] => {
  const whole = segments.join('/');
  const forms = new Set([whole, whole.normalize('NFC'), whole.normalize('NFD')]);
  return [...forms].map((form) => (form === whole ? segments : form.split('/')));
};

const startsWith = (segments: readonly string[], root: readonly string[]): boolean =>
  segments.length > root.length && root.every((name, at) => segments[at] === name);

const placeIn = (catalogId: number, inside: readonly string[]): Omit<SongPlace, 'songId'> => ({
  catalogId,
  folder: inside.slice(0, -1).join('/'),
  fileName: inside.at(-1) ?? '',
});

/** Places at which a reading may lie, the likeliest first: as a path of this machine, then below each catalog's root. */
const placesOf = (path: PathReading, { catalogs, folder }: PathMatching): Omit<SongPlace, 'songId'>[] => {
  const places: Omit<SongPlace, 'songId'>[] = [];
  const roots = catalogs.map(({ id, path: root }) => ({ id, root: segmentsOfPath(root) }));
  if (path.kind === 'absolute' || folder !== undefined) {
    for (const segments of spellings(absoluteSegments(path, folder ?? []))) {
      for (const { id, root } of roots) if (startsWith(segments, root)) places.push(placeIn(id, segments.slice(root.length)));
    }
  }
  if (path.up === 0) for (const segments of spellings(path.segments)) for (const { id } of roots) places.push(placeIn(id, segments));
  return places;
};

/** Finds entries by the whole path. The first place of each that holds a song counts. */
export const matchByPath = async (matching: PathMatching, questions: readonly PathQuestion[]): Promise<Found> => {
  const places = questions.flatMap(({ at, paths }) => paths.flatMap((path) => placesOf(path, matching)).map((place) => ({ at, place })));
  const found: Found = new Map();
  const answers = await songsAtLocations(
    matching.db,
    places.map(({ place }) => place),
  );
  for (const { place, songId } of answers.toSorted((a, b) => a.place - b.place)) {
    const at = places[place]?.at;
    if (at !== undefined && !found.has(at)) found.set(at, songId);
  }
  return found;
};

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/** Counts the names that two paths have in common from the end, ignoring case. */
const commonEnd = (a: readonly string[], b: readonly string[]): number => {
  let common = 0;
  while (common < a.length && common < b.length && folded(a[a.length - 1 - common] ?? '') === folded(b[b.length - 1 - common] ?? ''))
    common += 1;
  return common;
};

const segmentsOf = ({ folder, fileName }: SongPlace): string[] => [...folder.split('/').filter((name) => name !== ''), fileName];

/** The song whose path has the longest end in common; undefined when two have the same. */
const closest = (wanted: readonly string[], places: readonly SongPlace[]): number | undefined => {
  const ranked = places.map((place) => ({ place, common: commonEnd(wanted, segmentsOf(place)) })).toSorted((a, b) => b.common - a.common);
  const [first, second] = ranked;
  return first !== undefined && first.common !== second?.common ? first.place.songId : undefined;
};

const lastTwo = (segments: readonly string[]): { folder: string; file: string } => ({
  folder: segments.at(-2) ?? '',
  file: segments.at(-1) ?? '',
});
const pairKey = ({ folder, file }: { folder: string; file: string }): string => `${folded(folder)}/${folded(file)}`;

/** Entries without a song by path. */
export interface PathEndMatches {
  readonly found: Found;
  /** Entries whose path ends like those of several songs. */
  readonly several: ReadonlySet<number>;
}

/** Finds entries by the end of their path, at least folder and file: lists that were written on another machine, or before the music was moved. */
export const matchByPathEnd = async ({ db, catalogs }: PathMatching, questions: readonly PathQuestion[]): Promise<PathEndMatches> => {
  const wanted = questions.flatMap(({ at, paths }) =>
    paths.filter((path) => path.segments.length > 1).map(({ segments }) => ({ at, segments })),
  );
  const names = new Map(
    wanted.flatMap(({ segments }) => spellings(segments).map(lastTwo)).map((pair) => [`${pair.folder}/${pair.file}`, pair]),
  );
  if (names.size === 0) return { found: new Map(), several: new Set() };
  const ids = catalogs.map(({ id }) => id);
  const places = await songsByFolderAndName(db, [...names.values()], ids);
  const distinct = [...new Map(places.map((place) => [place.songId, place])).values()];
  const byPair = Map.groupBy(distinct, (place) => pairKey(lastTwo(segmentsOf(place))));
  const found: Found = new Map();
  const several = new Set<number>();
  for (const { at, segments } of wanted) {
    const candidates = byPair.get(pairKey(lastTwo(segments)));
    if (candidates === undefined || found.has(at)) continue;
    const songId = closest(segments, candidates);
    if (songId === undefined) several.add(at);
    else found.set(at, songId);
  }
  return { found, several };
};

/** Names that say so little that a single file of that name proves nothing: numbers, and words that every album has. */
const saysLittle = (fileName: string): boolean => {
  const stem = fileName.slice(0, fileName.lastIndexOf('.') < 1 ? undefined : fileName.lastIndexOf('.')).normalize('NFKC');
  return stem.replace(/^(?:track|titel|piste|audio)\b/i, '').replace(/[^\p{L}]+/gu, '').length < 4;
};

/** Finds entries by the name of their file alone, where just one file has it. */
export const matchByFileName = async ({ db, catalogs }: PathMatching, questions: readonly PathQuestion[]): Promise<Found> => {
  const wanted = questions.flatMap(({ at, paths }) =>
    paths.map(({ segments }) => ({ at, name: segments.at(-1) ?? '' })).filter(({ name }) => !saysLittle(name)),
  );
  const names = new Set(wanted.flatMap(({ name }) => [name, name.normalize('NFC'), name.normalize('NFD')]));
  if (names.size === 0) return new Map();
  const places = await songsByUniqueName(
    db,
    [...names],
    catalogs.map(({ id }) => id),
  );
  const byName = new Map(places.map((place) => [folded(place.fileName), place.songId]));
  const found: Found = new Map();
  for (const { at, name } of wanted) {
    const songId = byName.get(folded(name));
    if (songId !== undefined && !found.has(at)) found.set(at, songId);
  }
  return found;
};
