import { startPlayback } from '@continuo/contracts';
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

/** True for a request that begins a song: players fetch the rest of it by further ranges. */
const beginsSong = ({ method, headers: { range } }: FastifyRequest): boolean =>
  method === 'GET' && (range === undefined || range.startsWith('bytes=0-'));

/**
 * How soon after its start another song turns a play into a skip (native README section 12). `timer` is a number of seconds from 1 on, below
 * that a fraction of the song's length. What is no longer than the timer cannot be skipped.
 */
export const skipWindowMs = (timer: number, durationMs: number): number => {
  const windowMs = timer < 1 ? Math.round(durationMs * timer) : timer * 1000;
  return windowMs >= durationMs ? 0 : windowMs;
};

/** The data of the command that says what somebody plays, since when. */
export const playbackOf = (
  song: Pick<SongFile, 'id' | 'durationMs'>,
  who: { readonly userId: number; readonly client: string },
  when: { readonly startedAtMs: number; readonly isNow: boolean },
  skipTimer?: number,
) => ({
  userId: who.userId,
  client: who.client.slice(0, CLIENT_LENGTH),
  objectType: 'song' as const,
  objectId: song.id,
  durationMs: Math.max(song.durationMs, SHORTEST_MS),
  ...when,
  ...(skipTimer === undefined ? {} : { play: { skipWindowMs: skipWindowMs(skipTimer, song.durationMs) } }),
});

/** Who plays, and with what. */
export const playerOf = ({ account, client }: Pick<Caller, 'account' | 'client'>): Player => ({
  userId: account.id,
  client: client.slice(0, CLIENT_LENGTH),
});

interface UnderWay {
  readonly songId: number;
  readonly counted: boolean;
}

/**
 * Tells the playback service of streams: once per account and client while a song lasts, however many requests fetch it (native README section 12).
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
   * Notes what a request begins to play, if it begins something; `counts` makes it a play, otherwise it is only shown as playing. Not so for a client that says by
   * itself what it plays: that fetches ahead.
   */
  note(
    request: FastifyRequest,
    context: CallerContext,
    song: Pick<SongFile, 'id' | 'durationMs'>,
    { counts }: { readonly counts: boolean },
  ): void {
    if (!beginsSong(request)) return;
    const player = playerOf(context.caller);
    const key = `${player.userId}/${player.client}`;
    if (!counts && this.services.playing.isTold(player)) return;
    const known = this.underWay.get(key);
    if (known?.songId === song.id && (known.counted || !counts)) return;
    this.underWay.set(key, { songId: song.id, counted: counts }, { ttl: Math.max(song.durationMs, SHORTEST_MS) });
    const when = { startedAtMs: this.services.now(), isNow: true };
    const timer = counts ? this.services.config.SKIP_TIMER_SECONDS : undefined;
    this.services.commands.send(startPlayback, playbackOf(song, player, when, timer), messageContext(context)).catch((error: unknown) => {
      context.log.warn({ err: error, songId: song.id }, 'a play could not be noted');
    });
  }
}
