import { Rejection, type SonicMatch } from '@continuo/contracts';
import type { Logger } from 'pino';
import { songsByIds, type SongView } from '../reads/songs.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';

/** Who asks what sounds alike, and where from. */
export interface SoundCaller {
  readonly services: Pick<GatewayServices, 'db' | 'sonic'>;
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

/** A song that nobody has analysed is told to operators and has an empty answer (service interface, part 5). */
const orNone = ({ log }: SoundCaller, matches: readonly SonicMatch[] | undefined, songIds: readonly number[]): readonly SonicMatch[] => {
  if (!matches) log.info({ songIds }, 'what a song sounds like is not known');
  return matches ?? [];
};

/**
 * What sounds most like a song, the likest first.
 * @throws Rejection `song.not-found`; `unavailable` when whoever compares does not answer
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
