import { recordDownload, startPlayback, type PlayableType } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { messageContext, type CallerContext } from '../http/request-context.js';
import type { Caller } from '../auth/index.js';
import type { Player } from '../playing/index.js';
import type { SongFile } from '../reads/songs.reads.js';
import type { GatewayServices } from '../services.js';

/** How many clients are remembered, to know the requests that belong to what they play. */
const REMEMBERED = 20_000;
/** What is of unknown length plays so long. */
const SHORTEST_MS = 30_000;
/** Names of clients are cut to this. */
const CLIENT_LENGTH = 255;

/** True for a request that begins a file: players fetch the rest of it by further ranges. */
const begins = ({ method, headers: { range } }: FastifyRequest): boolean =>
  method === 'GET' && (range === undefined || range.startsWith('bytes=0-'));

/**
 * How soon after its start another song turns a play into a skip (native README section 12). `timer` is a number of seconds from 1 on, below
 * that a fraction of the song's length. What is no longer than the timer cannot be skipped.
 */
export const skipWindowMs = (timer: number, durationMs: number): number => {
  const windowMs = timer < 1 ? Math.round(durationMs * timer) : timer * 1000;
  return windowMs >= durationMs ? 0 : windowMs;
};

/** A file that is played: a song, a video where it says what is in it, or an episode of a podcast where it says of which. */
export type PlayedFile = Pick<SongFile, 'id' | 'durationMs'> & { readonly video?: unknown; readonly episode?: unknown };

/** What a file is to the playback service. */
export const objectTypeOf = ({ video, episode }: PlayedFile): PlayableType => {
  if (episode !== undefined) return 'podcast_episode';
  return video === undefined ? 'song' : 'video';
};

/** How long it plays, milliseconds; what is of unknown length for a while. */
export const playingMs = ({ durationMs }: PlayedFile): number => Math.max(durationMs, SHORTEST_MS);

/** The data of the command that says what somebody plays, since when. With a skip timer it is a play that has just begun, with `said` one that is said to have been; without either none. */
export const playbackOf = (
  file: PlayedFile,
  who: { readonly userId: number; readonly client: string },
  when: { readonly startedAtMs: number; readonly isNow: boolean },
  counts?: number | 'said',
) => ({
  userId: who.userId,
  client: who.client.slice(0, CLIENT_LENGTH),
  objectType: objectTypeOf(file),
  objectId: file.id,
  durationMs: playingMs(file),
  ...when,
  ...(counts === undefined ? {} : { play: counts === 'said' ? {} : { skipWindowMs: skipWindowMs(counts, file.durationMs) } }),
});

/** Who plays, and with what. */
export const playerOf = ({ account, client }: Pick<Caller, 'account' | 'client'>): Player => ({
  userId: account.id,
  client: client.slice(0, CLIENT_LENGTH),
});

interface UnderWay {
  /** Kind and number. */
  readonly file: string;
  readonly counted: boolean;
}

/** How a file is fetched: to be kept, or to be heard or seen; `cache` is for later, and `show` is not counted but shown as playing. */
export type Fetching = 'download' | 'play' | 'show' | 'cache';

/**
 * Tells the playback service of streams, once per account and client while the media lasts, however many requests fetch it, and of downloads (native README section 12).
 * The listener does not wait for it, and hears no error of it.
 */
export class PlayCounter {
  private readonly underWay = new LRUCache<string, UnderWay>({ max: REMEMBERED });

  constructor(
    private readonly services: Pick<GatewayServices, 'commands' | 'now' | 'playing'> & {
      readonly config: { readonly SKIP_TIMER_SECONDS: number };
    },
  ) {}

  /**
   * Notes what a request fetches, if it begins something. What is only shown is not shown of a client that says by itself what it plays: that fetches ahead.
   */
  note(request: FastifyRequest, context: CallerContext, file: PlayedFile, fetching: Fetching): void {
    if (fetching === 'cache' || !begins(request)) return;
    if (fetching === 'download') this.downloads(context, file);
    else this.plays(context, file, fetching === 'play');
  }

  private plays(context: CallerContext, file: PlayedFile, counts: boolean): void {
    const player = playerOf(context.caller);
    const key = `${player.userId}/${player.client}`;
    if (!counts && this.services.playing.isTold(player)) return;
    const known = this.underWay.get(key);
    const name = `${objectTypeOf(file)} ${file.id}`;
    if (known?.file === name && (known.counted || !counts)) return;
    this.underWay.set(key, { file: name, counted: counts }, { ttl: playingMs(file) });
    const when = { startedAtMs: this.services.now(), isNow: true };
    const timer = counts ? this.services.config.SKIP_TIMER_SECONDS : undefined;
    this.services.commands.send(startPlayback, playbackOf(file, player, when, timer), messageContext(context)).catch((error: unknown) => {
      context.log.warn({ err: error, fileId: file.id }, 'a play could not be noted');
    });
  }

  private downloads(context: CallerContext, file: PlayedFile): void {
    const thing = { objectType: objectTypeOf(file), objectId: file.id, downloadedAtMs: this.services.now() };
    this.services.commands
      .send(recordDownload, { ...playerOf(context.caller), ...thing }, messageContext(context))
      .catch((error: unknown) => {
        context.log.warn({ err: error, fileId: file.id }, 'a download could not be noted');
      });
  }
}
