import type { PlaylistFileEntry } from '../format/playlist-file.js';

/** Methods by which an entry is matched to a song, the surest first. */
export const matchMethods = ['path', 'path-end', 'recording', 'tags', 'file-name', 'title'] as const;
export type MatchMethod = (typeof matchMethods)[number];

/** Why an entry has no song. */
export type MissReason = 'not-found' | 'remote' | 'several' | 'says-nothing';

/** Outcome of one entry. */
export type EntryMatch =
  | { readonly songId: number; readonly by: MatchMethod }
  | { readonly songId: undefined; readonly reason: MissReason };

/** One entry with what became of it, its number in the list from 1. */
export interface MatchedEntry {
  readonly number: number;
  readonly entry: PlaylistFileEntry;
  readonly match: EntryMatch;
}

/** A whole list after matching. */
export interface MatchReport {
  /** Songs in the order of the list, repeats included. */
  readonly songIds: readonly number[];
  readonly unmatched: readonly (MatchedEntry & { readonly match: Extract<EntryMatch, { songId: undefined }> })[];
  readonly byWay: Readonly<Partial<Record<MatchMethod, number>>>;
}

const missed = (one: MatchedEntry): one is MatchReport['unmatched'][number] => one.match.songId === undefined;

/** Sums up what became of the entries of a list. */
export const reportOf = (entries: readonly PlaylistFileEntry[], matches: readonly EntryMatch[]): MatchReport => {
  const all = entries.map((entry, at): MatchedEntry => ({
    number: at + 1,
    entry,
    match: matches[at] ?? { songId: undefined, reason: 'not-found' },
  }));
  const byWay: Partial<Record<MatchMethod, number>> = {};
  const songIds: number[] = [];
  for (const { match } of all) {
    if (match.songId === undefined) continue;
    songIds.push(match.songId);
    byWay[match.by] = (byWay[match.by] ?? 0) + 1;
  }
  return { songIds, unmatched: all.filter(missed), byWay };
};
