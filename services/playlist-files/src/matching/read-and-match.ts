import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { ReadPlaylistFile } from '../format/playlist-file.js';
import { readPlaylistFile, type ReadOptions } from '../format/read.js';
import { reportOf, type MatchReport } from './match.js';
import { matchSongs, type MatchOptions } from './match-songs.js';

/** A playlist file with the songs that it means. */
export interface MatchedPlaylistFile extends ReadPlaylistFile {
  readonly report: MatchReport;
}

/**
 * Reads a playlist file and finds its songs. Where the character set is a guess and entries stay without a song, the other likely sets are tried, and the one
 * under which most entries have songs counts: the names of the files know better than any frequency of letters.
 * @throws PlaylistFileFault when it is no playlist
 */
export const readAndMatch = async (
  db: Kysely<ReadModel>,
  bytes: Uint8Array,
  { folder, catalogIds, ...reading }: ReadOptions & Omit<MatchOptions, 'format'>,
): Promise<MatchedPlaylistFile> => {
  const matched = async (file: ReadPlaylistFile): Promise<MatchedPlaylistFile> => ({
    ...file,
    report: reportOf(file.content.entries, await matchSongs(db, file.content.entries, { folder, catalogIds, format: file.format })),
  });
  let best = await matched(readPlaylistFile(bytes, reading));
  for (const encoding of best.otherEncodings) {
    if (best.report.unmatched.length === 0) break;
    const other = await matched(readPlaylistFile(bytes, { ...reading, encoding }));
    if (other.report.songIds.length > best.report.songIds.length) best = other;
  }
  return best;
};
