import type { CommandClient } from '@continuo/chassis';
import { recordDownload, startPlayback, type PlayableType } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { messageContext, type CallerContext } from '../../server/requests/request-context.js';
import type { Caller } from '../../auth/index.js';
import type { Player, PlayingSessionStore } from '../playback/playing-session-store.js';
import type { SongFile } from '../../reads/songs/songs.reads.js';
import { atMost } from '../../server/at-most.js';

/** Clients kept in memory, to assign requests to playbacks. */
const REMEMBERED = 20_000;
/** A file that is only shown is shown after so long: a client that fetches the next one by then fetches ahead, and plays none of those before. */
export const SHOWN_AFTER_MS = 300;
/** Assumed duration of media of unknown length. */
const SHORTEST_MS = 30_000;
/** Names of clients are cut to this. */
const CLIENT_LENGTH = 255;

/** True for a request that begins a file: players fetch the rest of it by further ranges. */
const begins = ({ method, headers: { range } }: FastifyRequest): boolean =>
  method === 'GET' && (range === undefined || range.startsWith('bytes=0-'));

/**
 * Returns the time after its start in which another song turns a play into a skip, ms. `timer` is a number of seconds from 1 on, below
 * that a fraction of the song's length. What is no longer than the timer cannot be skipped.
 */
export const skipWindowMs = (timer: number, durationMs: number): number => {
  const windowMs = timer < 1 ? Math.round(durationMs * timer) : timer * 1000;
  return windowMs >= durationMs ? 0 : windowMs;
};

/** A file that is played: a song, a video where it says what is in it, or an episode of a podcast where it says of which. */
export type PlayedFile = Pick<SongFile, 'id' | 'durationMs'> & { readonly video?: unknown; readonly episode?: unknown };

/** Returns the playable type of a file. */
export const objectTypeOf = ({ video, episode }: PlayedFile): PlayableType => {
  if (episode !== undefined) return 'podcast_episode';
  return video === undefined ? 'song' : 'video';
};

/** Returns the duration of a file, ms; media of unknown length get a default. */
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

/** Returns the account and client of a caller. */
export const playerOf = ({ account, client }: Pick<Caller, 'account' | 'client'>): Player => ({
  userId: account.id,
  client: client.slice(0, CLIENT_LENGTH),
});

interface UnderWay {
  /** Kind and number. */
  readonly file: string;
  readonly counted: boolean;
  /** Shows the file unless another one is fetched by then. */
  readonly showing?: NodeJS.Timeout;
}

/** Purpose of a fetch: to keep, or to play; `cache` is for later, and `show` is shown as playing but not counted. */
export type Fetching = 'download' | 'play' | 'show' | 'cache';

/**
 * Tells the playback service of streams, once per account and client while the media lasts, however many requests fetch it, and of downloads.
 * The listener does not wait for it, and hears no error of it.
 */
export class PlayCounter {
  private readonly underWay = new LRUCache<string, UnderWay>(atMost(REMEMBERED));

  constructor(
    private readonly services: {
      readonly commands: Pick<CommandClient, 'send'>;
      /** Epoch milliseconds. */
      readonly now: () => number;
      readonly playing: Pick<PlayingSessionStore, 'isReporting'>;
      readonly config: { readonly SKIP_TIMER_SECONDS: number };
    },
    /** Time after which a file that is only shown is shown, ms; 0: at once. */
    private readonly shownAfterMs = SHOWN_AFTER_MS,
  ) {}

  /**
   * Notes what a request fetches, if it begins something. What is only shown is not shown of a client that says by itself what it plays: that fetches ahead.
   */
  note(request: FastifyRequest, context: CallerContext, file: PlayedFile, fetching: Fetching): void {
    if (fetching === 'cache' || !begins(request)) return;
    if (fetching === 'download') this.downloads(context, file);
    else this.plays(context, file, fetching === 'play');
  }

  /** Shows nothing more: those who would hear of it are about to be gone. */
  close(): void {
    for (const { showing } of this.underWay.values()) clearTimeout(showing);
  }

  private plays(context: CallerContext, file: PlayedFile, counts: boolean): void {
    const player = playerOf(context.caller);
    const key = `${player.userId}/${player.client}`;
    if (!counts && this.services.playing.isReporting(player)) return;
    const known = this.underWay.get(key);
    const name = `${objectTypeOf(file)} ${file.id}`;
    if (known?.file === name && (known.counted || !counts)) return;
    clearTimeout(known?.showing);
    const when = { startedAtMs: this.services.now(), isNow: true };
    const timer = counts ? this.services.config.SKIP_TIMER_SECONDS : undefined;
    const isAtOnce = counts || this.shownAfterMs === 0;
    const start = (): void => this.start(context, file, playbackOf(file, player, when, timer));
    const show = (): void => {
      // By now the client may have said what it plays.
      if (!this.services.playing.isReporting(player)) start();
    };
    const showing = isAtOnce ? undefined : setTimeout(show, this.shownAfterMs).unref();
    this.underWay.set(key, { file: name, counted: counts, ...(showing && { showing }) }, { ttl: playingMs(file) });
    if (isAtOnce) start();
  }

  private start(context: CallerContext, file: PlayedFile, playback: ReturnType<typeof playbackOf>): void {
    this.services.commands.send(startPlayback, playback, messageContext(context)).catch((error: unknown) => {
      context.log.warn({ err: error, fileId: file.id }, 'failed to record a play');
    });
  }

  private downloads(context: CallerContext, file: PlayedFile): void {
    const thing = { objectType: objectTypeOf(file), objectId: file.id, downloadedAtMs: this.services.now() };
    this.services.commands
      .send(recordDownload, { ...playerOf(context.caller), ...thing }, messageContext(context))
      .catch((error: unknown) => {
        context.log.warn({ err: error, fileId: file.id }, 'failed to record a download');
      });
  }
}

/** Records streams as plays. */
export interface HasPlays {
  readonly plays: PlayCounter;
}
