import { recordPlays, Rejection, startPlayback, type SongId } from '@continuo/contracts';
import { runCommand } from '../../../../server/commands.js';
import { objectTypeOf, playbackOf, playerOf, type PlayedFile } from '../../../../features/media/play-counter.js';
import { afterAnnouncement, reportedStart } from '../../../../features/playback/index.js';
import type { ReadDatabase, HasReadModel } from '../../../../reads/database/database.js';
import { episodesByIds } from '../../../../reads/podcasts/podcasts.reads.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import type { Viewer } from '../../../../reads/visibility/viewer.js';
import { CompatError } from '../../errors.js';
import { parseId, type CompatId } from '../../ids.js';
import { flag, intList, textList } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type UserCallBase, type Parsed } from '../endpoint.js';
import type { HasPlaying } from '../../../../features/playback/playing-session-store.js';
import type { HasClock, HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel & HasClock & HasPlaying;
const { action } = endpointsUsing<Services>();

/** Most plays in one command. */
const MAX_PLAYS = 1000;

const scrobbled = { id: textList, time: intList, submission: flag(true) };
type ScrobbleParams = Parsed<typeof scrobbled>;

/** Songs and, if enabled, podcast episodes of ids. @throws Rejection `song.not-found` for anything else */
const playedIds = (texts: readonly string[], { PODCAST }: Services['config']): CompatId[] => {
  if (texts.length === 0) throw new CompatError(10, 'Required parameter is missing: id');
  if (texts.length > MAX_PLAYS) throw new CompatError(10, `At most ${MAX_PLAYS} plays can be sent at a time`);
  return texts.map((text) => {
    const id = parseId(text, 'song');
    if (!id || !(id.kind === 'song' || (id.kind === 'episode' && PODCAST))) throw new Rejection('song.not-found', undefined, 'id');
    return id;
  });
};

/** Shows a medium as playing, unless the client sends playback reports. */
const showAsPlaying = async (
  { services, context }: Pick<UserCallBase<Services>, 'services' | 'context'>,
  song: PlayedFile,
): Promise<void> => {
  const player = playerOf(context.caller);
  await services.playing.change(player, async (known) => {
    const startedAtMs = services.now();
    const media = { objectType: objectTypeOf(song), objectId: song.id, durationMs: song.durationMs };
    const next = afterAnnouncement(known, { ...player, ...media }, startedAtMs);
    if (next) await runCommand(services, context, startPlayback, playbackOf(song, player, { startedAtMs, isNow: true }));
    return next;
  });
};

/** Lower times are seconds: as milliseconds they would lie in early 1970. */
const SECONDS_BELOW = 100_000_000_000;

/** Time of a play: milliseconds, not in the future; undefined for 0. */
const playedAt = (timeMs: number | undefined, nowMs: number): number | undefined => {
  if (timeMs === undefined || timeMs <= 0) return undefined;
  return Math.min(timeMs < SECONDS_BELOW ? timeMs * 1000 : timeMs, nowMs);
};

interface Play {
  readonly file: PlayedFile;
  readonly playedAtMs: number;
}

/** Finds played songs and episodes, with two queries. */
const filesOf = async (db: ReadDatabase, ids: readonly CompatId[], viewer: Viewer): Promise<(id: CompatId) => PlayedFile | undefined> => {
  const numbers = (kind: CompatId['kind']): number[] => ids.filter((id) => id.kind === kind).map(({ id }) => id);
  const [songs, episodes] = await Promise.all([songsByIds(db, numbers('song'), viewer), episodesByIds(db, numbers('episode'), viewer)]);
  const files = new Map<string, PlayedFile>([
    ...songs.map(({ doc }) => [`song-${doc.id}`, doc] as const),
    ...episodes.map((episode) => [`episode-${episode.id}`, { id: episode.id, durationMs: episode.durationMs ?? 0, episode }] as const),
  ]);
  return ({ kind, id }) => files.get(`${kind}-${id}`);
};

/** Records plays: songs in batches, episodes one by one. */
const record = async (
  { services, context }: Pick<UserCallBase<Services>, 'services' | 'context'>,
  plays: readonly Play[],
): Promise<void> => {
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
 * Records plays at the client's times, which may be hours ago but not in the future; now without a time. A time within a play that the same
 * client reports means the start of that play, so that it counts once. `submission=false` shows the first song as playing and counts
 * nothing.
 */
const scrobble = async ({ params, services, context, viewer }: Call<ScrobbleParams, Services>): Promise<void> => {
  const ids = playedIds(params.id, services.config);
  const fileOf = await filesOf(services.db, ids, viewer);
  const nowMs = services.now();
  const player = playerOf(context.caller);
  const reported = services.playing.of(player);
  const plays = ids.flatMap((id, index): Play[] => {
    const file = fileOf(id);
    const saidMs = playedAt(params.time[index], nowMs);
    // Playback reports count episodes themselves; the log identifies them by their start.
    const reportedMs = id.kind === 'song' ? reportedStart(reported, { songId: id.id, saidMs }, nowMs) : undefined;
    return file ? [{ file, playedAtMs: reportedMs ?? saidMs ?? nowMs }] : [];
  });
  const [first] = plays;
  if (!first) throw new Rejection('song.not-found');
  if (params.submission) await record({ services, context }, plays);
  else await showAsPlaying({ services, context }, first.file);
};

/** Operations about ratings, favourites and plays. */
export const annotationEndpoints = {
  scrobble: action({ access: anybody, params: scrobbled, act: scrobble }),
} as const;
