import { recordPlays, Rejection, startPlayback, type SongId } from '@continuo/contracts';
import { runCommand } from '../../commands.js';
import { playbackOf, playerOf } from '../../media/play-counter.js';
import { afterAnnouncement, reportedStart } from '../../playing/index.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { CompatError } from '../errors.js';
import { parseIdOf } from '../ids.js';
import { flag, intList, textList } from '../parameters.js';
import { action, anybody, type Call, type UserCallBase } from './endpoint.js';

/** As many plays as one command takes. */
const MAX_PLAYS = 1000;

type SongFacts = Parameters<typeof playbackOf>[0];

interface ScrobbleParams {
  readonly id: readonly string[];
  readonly time: readonly (number | undefined)[];
  readonly submission: boolean;
}

const songIds = (texts: readonly string[]): number[] => {
  if (texts.length === 0) throw new CompatError(10, 'Required parameter is missing: id');
  if (texts.length > MAX_PLAYS) throw new CompatError(10, `At most ${MAX_PLAYS} plays can be sent at a time`);
  return texts.map((text) => {
    const id = parseIdOf('song', text);
    if (id === undefined) throw new Rejection('song.not-found', undefined, 'id');
    return id;
  });
};

/** Shows a song as playing, unless the client reports more exactly what it does. */
const showAsPlaying = async ({ services, context }: Pick<UserCallBase, 'services' | 'context'>, song: SongFacts): Promise<void> => {
  const player = playerOf(context.caller);
  await services.playing.change(player, async (known) => {
    const startedAtMs = services.now();
    const media = { objectType: 'song', objectId: song.id, durationMs: song.durationMs } as const;
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

/**
 * Records plays at the times that the client gives, which may be hours ago; there is no play in the future. A missing time is now. A time within a play that the same client reports is
 * that play's beginning: that is one play, however late it says so.
 * `submission=false` says what is playing now and does not count as a play; of several songs the first.
 */
const scrobble = async ({ params, services, context, viewer }: Call<ScrobbleParams>): Promise<void> => {
  const ids = songIds(params.id);
  const songs = await songsByIds(services.db, ids, viewer);
  const lengths = new Map(songs.map(({ doc }) => [doc.id, doc.durationMs]));
  const nowMs = services.now();
  const player = playerOf(context.caller);
  const reported = services.playing.of(player);
  const plays = ids.flatMap((id, index) => {
    const durationMs = lengths.get(id);
    const saidMs = playedAt(params.time[index], nowMs);
    const playedAtMs = reportedStart(reported, { songId: id, saidMs }, nowMs) ?? saidMs ?? nowMs;
    return durationMs === undefined ? [] : [{ songId: id as SongId, playedAtMs, durationMs }];
  });
  if (plays.length === 0) throw new Rejection('song.not-found');
  if (!params.submission) {
    const [song] = songs;
    if (song) await showAsPlaying({ services, context }, song.doc);
    return;
  }
  await runCommand(services, context, recordPlays, { ...player, plays });
};

/** What users say about songs. */
export const annotationEndpoints = {
  scrobble: action({ access: anybody, params: { id: textList, time: intList, submission: flag(true) }, act: scrobble }),
} as const;
