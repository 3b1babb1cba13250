import { recordPlays, Rejection, startPlayback, type SongId } from '@continuo/contracts';
import { runCommand } from '../../commands.js';
import { playbackOf } from '../../media/play-counter.js';
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

const showAsPlaying = async ({ services, context }: Pick<UserCallBase, 'services' | 'context'>, song: SongFacts): Promise<void> => {
  services.plays.tellsItself(context);
  const { account, client } = context.caller;
  const when = { startedAtMs: services.now(), isNow: true };
  await runCommand(services, context, startPlayback, playbackOf(song, { userId: account.id, client }, when));
};

/**
 * Records plays at the times that the client gives, which may be hours ago; missing times are now, and there is no play in the future.
 * `submission=false` says what is playing now and does not count as a play; of several songs the first.
 */
const scrobble = async ({ params, services, context, viewer }: Call<ScrobbleParams>): Promise<void> => {
  const ids = songIds(params.id);
  const songs = await songsByIds(services.db, ids, viewer);
  const known = new Set(songs.map((song) => song.doc.id));
  const plays = ids.flatMap((id, index) => {
    if (!known.has(id)) return [];
    const now = services.now();
    return [{ songId: id as SongId, playedAtMs: Math.min(positiveTime(params.time[index]) ?? now, now) }];
  });
  if (plays.length === 0) throw new Rejection('song.not-found');
  if (!params.submission) {
    const [song] = songs;
    if (song) await showAsPlaying({ services, context }, song.doc);
    return;
  }
  await runCommand(services, context, recordPlays, {
    userId: context.caller.account.id,
    client: context.caller.client.slice(0, 255),
    plays,
  });
};

const positiveTime = (timeMs: number | undefined): number | undefined => (timeMs !== undefined && timeMs > 0 ? timeMs : undefined);

/** What users say about songs. */
export const annotationEndpoints = {
  scrobble: action({ access: anybody, params: { id: textList, time: intList, submission: flag(true) }, act: scrobble }),
} as const;
