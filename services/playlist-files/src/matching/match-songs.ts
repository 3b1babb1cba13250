import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { PlaylistFileEntry, PlaylistFormat } from '../format/playlist-file.js';
import { readLocation, segmentsOfPath, type LocationReading } from '../location/path-readings.js';
import type { EntryMatch, MatchMethod } from './match.js';
import { matchByFileName, matchByPath, matchByPathEnd, type Found, type PathMatching } from './match-by-path.js';
import { matchByRecording, matchByTags, matchByTitle } from './match-by-tags.js';
import { catalogRoots } from './song-candidates.reads.js';

/** Options of matching a list. */
export interface MatchOptions {
  /** Absolute real path of the folder that the list lies in; absent for a list that lies nowhere. */
  readonly folder?: string | undefined;
  /** Decides whether locations are URIs. */
  readonly format: PlaylistFormat;
  /** Catalogs whose songs may be found; all without it. */
  readonly catalogIds?: readonly number[] | undefined;
}

interface Question {
  readonly at: number;
  readonly entry: PlaylistFileEntry;
  readonly paths: Extract<LocationReading, { kind: 'paths' }>['paths'];
  readonly isRemote: boolean;
}

const questionOf = (entry: PlaylistFileEntry, at: number, format: PlaylistFormat): Question => {
  const readings = entry.locations.map((location) => readLocation(location, format === 'xspf'));
  return {
    at,
    entry,
    paths: readings.flatMap((reading) => (reading.kind === 'paths' ? reading.paths : [])),
    isRemote: readings.some((reading) => reading.kind === 'remote'),
  };
};

/** Collects what was found and hands on what was not. */
class Matching {
  readonly #matches: (EntryMatch | undefined)[];

  constructor(private readonly questions: readonly Question[]) {
    this.#matches = questions.map(() => undefined);
  }

  open(): Question[] {
    return this.questions.filter(({ at }) => this.#matches[at] === undefined);
  }

  take(by: MatchMethod, found: Found): void {
    for (const [at, songId] of found) this.#matches[at] ??= { songId, by };
  }

  matches(several: ReadonlySet<number>): EntryMatch[] {
    return this.questions.map((question) => this.#matches[question.at] ?? { songId: undefined, reason: missReason(question, several) });
  }
}

const missReason = ({ at, entry, paths, isRemote }: Question, several: ReadonlySet<number>) => {
  if (several.has(at)) return 'several';
  if (isRemote) return 'remote';
  return paths.length === 0 && entry.title === undefined && entry.identifiers === undefined ? 'says-nothing' : 'not-found';
};

/**
 * Finds the songs that the entries of a list mean: by the whole path, by its end, by the recording, by artist and title, by a file name that only one file has, by
 * title and length. Each way is asked once for all entries that are still open, in blocks, so that a list of fifty thousand takes some dozens of statements.
 */
export const matchSongs = async (
  db: Kysely<ReadModel>,
  entries: readonly PlaylistFileEntry[],
  { folder, format, catalogIds }: MatchOptions,
): Promise<EntryMatch[]> => {
  const matching = new Matching(entries.map((entry, at) => questionOf(entry, at, format)));
  const catalogs = await catalogRoots(db, catalogIds);
  const paths: PathMatching = { db, catalogs, folder: folder === undefined ? undefined : segmentsOfPath(folder) };
  const tags = { db, catalogIds: catalogs.map(({ id }) => id) };
  matching.take('path', await matchByPath(paths, matching.open()));
  const { found, several } = await matchByPathEnd(paths, matching.open());
  matching.take('path-end', found);
  matching.take('recording', await matchByRecording(tags, matching.open()));
  matching.take('tags', await matchByTags(tags, matching.open()));
  matching.take('file-name', await matchByFileName(paths, matching.open()));
  matching.take('title', await matchByTitle(tags, matching.open()));
  return matching.matches(several);
};
