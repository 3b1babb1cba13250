import { recordPlays, Rejection, startPlayback, type SongId } from '@continuo/contracts';
import { runCommand } from '../../commands.js';
import { objectTypeOf, playbackOf, playerOf, type PlayedFile } from '../../media/play-counter.js';
import { afterAnnouncement, reportedStart } from '../../playing/index.js';
import type { ReadDatabase } from '../../reads/database.js';
import { episodesByIds } from '../../reads/podcasts.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import type { Viewer } from '../../reads/viewer.js';
import { CompatError } from '../errors.js';
import { parseId, type CompatId } from '../ids.js';
import { flag, intList, textList } from '../parameters.js';
import { action, anybody, type Call, type CompatServices, type UserCallBase } from './endpoint.js';

/** As many plays as one command takes. */
const MAX_PLAYS = 1000;

interface ScrobbleParams {
  readonly id: readonly string[];
  readonly time: readonly (number | undefined)[];
  readonly submission: boolean;
}

/** What the ids name: songs, and episodes of podcasts where there are any. @throws Rejection `song.not-found` for anything else */
const playedIds = (texts: readonly string[], { PODCAST }: CompatServices['config']): CompatId[] => {
  if (texts.length === 0) throw new CompatError(10, 'Required parameter is missing: id');
  if (texts.length > MAX_PLAYS) throw new CompatError(10, `At most ${MAX_PLAYS} plays can be sent at a time`);
  return texts.map((text) => {
    const id = parseId(text, 'song');
    if (!id || !(id.kind === 'song' || (id.kind === 'episode' && PODCAST))) throw new Rejection('song.not-found', undefined, 'id');
    return id;
  });
};

/** Shows something as playing, unless the client reports more exactly what it does. */
const showAsPlaying = async ({ services, context }: Pick<UserCallBase, 'services' | 'context'>, song: PlayedFile): Promise<void> => {
  const player = playerOf(context.caller);
  await services.playing.change(player, async (known) => {
    const startedAtMs = services.now();
    const media = { objectType: objectTypeOf(song), objectId: song.id, durationMs: song.durationMs };
    const next = afterAnnouncement(known, { ...player, ...media }, startedAtMs);
    if (next) await runCommand(services, context, startPlayback, playbackOf(song, player, { startedAtMs, isNow: true }));
    return next;
  });
};

/** A time in seconds is taken for what it is: in milliseconds it would lie in the first weeks of 1970. */
const SECONDS_BELOW = 100_000_000_000;

/** When a play was, as the client says: milliseconds, and never in the future. Clocks that stand at 0 say nothing; undefined then. */
const playedAt = (timeMs: number | undefined, nowMs: number): number | undefined => {
  if (timeMs === undefined || timeMs <= 0) return undefined;
  return Math.min(timeMs < SECONDS_BELOW ? timeMs * 1000 : timeMs, nowMs);
};

interface Play {
  readonly file: PlayedFile;
  readonly playedAtMs: number;
}

/** Finds what was played among songs and episodes: two statements whatever their number. */
const filesOf = async (db: ReadDatabase, ids: readonly CompatId[], viewer: Viewer): Promise<(id: CompatId) => PlayedFile | undefined> => {
  const numbers = (kind: CompatId['kind']): number[] => ids.filter((id) => id.kind === kind).map(({ id }) => id);
  const [songs, episodes] = await Promise.all([songsByIds(db, numbers('song'), viewer), episodesByIds(db, numbers('episode'), viewer)]);
  const files = new Map<string, PlayedFile>([
    ...songs.map(({ doc }) => [`song-${doc.id}`, doc] as const),
    ...episodes.map((episode) => [`episode-${episode.id}`, { id: episode.id, durationMs: episode.durationMs ?? 0, episode }] as const),
  ]);
  return ({ kind, id }) => files.get(`${kind}-${id}`);
};

/** Songs are told together; episodes, of which nobody sends many, one by one. */
const record = async ({ services, context }: Pick<UserCallBase, 'services' | 'context'>, plays: readonly Play[]): Promise<void> => {
  const player = playerOf(context.caller);
  const songs = plays.filter(({ file }) => objectTypeOf(file) === 'song');
  if (songs.length > 0) {
    const told = songs.map(({ file: { id, durationMs }, playedAtMs }) => ({ songId: id as SongId, playedAtMs, durationMs }));
    await runCommand(services, context, recordPlays, { ...player, plays: told });
  }
  for (const { file, playedAtMs } of plays.filter((play) => !songs.includes(play)))
    await runCommand(services, context, startPlayback, playbackOf(file, player, { startedAtMs: playedAtMs, isNow: false }, 'said'));
};

/**
 * Records plays at the times that the client gives, which may be hours ago; there is no play in the future. A missing time is now. A time within a play that the same client reports is
 * that play's beginning: that is one play, however late it says so.
 * `submission=false` says what is playing now and does not count as a play; of several songs the first.
 */
const scrobble = async ({ params, services, context, viewer }: Call<ScrobbleParams>): Promise<void> => {
  const ids = playedIds(params.id, services.config);
  const fileOf = await filesOf(services.db, ids, viewer);
  const nowMs = services.now();
  const player = playerOf(context.caller);
  const reported = services.playing.of(player);
  const plays = ids.flatMap((id, index): Play[] => {
    const file = fileOf(id);
    const saidMs = playedAt(params.time[index], nowMs);
    // Reports count episodes by themselves, and the log knows them by the moment that they say.
    const reportedMs = id.kind === 'song' ? reportedStart(reported, { songId: id.id, saidMs }, nowMs) : undefined;
    return file ? [{ file, playedAtMs: reportedMs ?? saidMs ?? nowMs }] : [];
  });
  const [first] = plays;
  if (!first) throw new Rejection('song.not-found');
  if (params.submission) await record({ services, context }, plays);
  else await showAsPlaying({ services, context }, first.file);
};

/** What users say about songs. */
export const annotationEndpoints = {
  scrobble: action({ access: anybody, params: { id: textList, time: intList, submission: flag(true) }, act: scrobble }),
} as const;
