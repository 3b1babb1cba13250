import { Rejection, type SonicMatch } from '@continuo/contracts';
import type { Logger } from 'pino';
import { songsByIds, type SongView } from '../../reads/songs/songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasSonic } from './sonic-sounds.js';

/** Services and viewer of a call. */
export interface SoundCaller {
  readonly services: HasReadModel & HasSonic;
  readonly viewer: Viewer;
  readonly log: Logger;
}

/** A song and how much it sounds like the one that was asked about. */
export interface MatchedSong {
  readonly view: SongView;
  /** 1: the same; 0: nothing alike; -1: not known. */
  readonly similarity: number;
}

/** @throws Rejection `song.not-found` when the viewer lacks one of them */
const mustHave = async ({ services, viewer }: SoundCaller, songIds: readonly number[]): Promise<void> => {
  const wanted = [...new Set(songIds)];
  if ((await songsByIds(services.db, wanted, viewer)).length !== wanted.length) throw new Rejection('song.not-found');
};

/** Logs a song without analysis and answers an empty list. */
const orNone = ({ log }: SoundCaller, matches: readonly SonicMatch[] | undefined, songIds: readonly number[]): readonly SonicMatch[] => {
  if (!matches) log.info({ songIds }, 'songs have no sonic analysis; the answer is empty');
  return matches ?? [];
};

/**
 * Finds the songs that sound most like a song, the most similar first.
 * @throws Rejection `song.not-found`; `unavailable` when the sonic service does not answer
 */
export const similarSounds = async (caller: SoundCaller, songId: number, count: number): Promise<readonly SonicMatch[]> => {
  await mustHave(caller, [songId]);
  return orNone(caller, await caller.services.sonic.similar(songId, { viewer: caller.viewer, count }), [songId]);
};

/** Songs on the way from one sound to another, both included. @throws Rejection as {@link similarSounds} */
export const soundPath = async (
  caller: SoundCaller,
  ends: readonly [from: number, to: number],
  count: number,
): Promise<readonly SonicMatch[]> => {
  await mustHave(caller, ends);
  return orNone(caller, await caller.services.sonic.path(...ends, { viewer: caller.viewer, count }), ends);
};

/** Reads matched songs, in their order; what the viewer does not have is left out. */
export const matchedSongs = async ({ services, viewer }: SoundCaller, matches: readonly SonicMatch[]): Promise<MatchedSong[]> => {
  const ids = matches.map(({ songId }) => songId);
  const similarities = new Map(matches.map(({ songId, similarity }) => [songId, similarity]));
  return (await songsByIds(services.db, ids, viewer)).map((view) => ({ view, similarity: similarities.get(view.doc.id) ?? -1 }));
};
