import { recordPlays, songId } from '@continuo/contracts';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { messageContext, type CallerContext } from '../http/request-context.js';
import type { SongFile } from '../reads/songs.reads.js';
import type { GatewayServices } from '../services.js';

/** How many plays under way are remembered, to know the requests that belong to them. */
const REMEMBERED = 20_000;
/** A song of unknown length counts once in so long. */
const SHORTEST_MS = 30_000;

/** True for a request that begins a song: players fetch the rest of it by further ranges. */
const beginsSong = ({ method, headers: { range } }: FastifyRequest): boolean =>
  method === 'GET' && (range === undefined || range.startsWith('bytes=0-'));

/**
 * Counts streams as plays: once per account, client and song while the song lasts, however many requests fetch it (native README section 12).
 * The listener does not wait for it, and hears no error of it.
 */
export class PlayCounter {
  private readonly underWay = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(private readonly services: Pick<GatewayServices, 'commands' | 'now'>) {}

  /** Counts the play that a request begins, if it begins one. */
  note(request: FastifyRequest, context: CallerContext, song: Pick<SongFile, 'id' | 'durationMs'>): void {
    if (!beginsSong(request)) return;
    const { account, client } = context.caller;
    const key = `${account.id}/${song.id}/${client}`;
    if (this.underWay.has(key)) return;
    this.underWay.set(key, true, { ttl: Math.max(song.durationMs, SHORTEST_MS) });
    const plays = [{ songId: songId.parse(song.id), playedAtMs: this.services.now() }];
    this.services.commands
      .send(recordPlays, { userId: account.id, client: client.slice(0, 255), plays }, messageContext(context))
      .catch((error: unknown) => {
        context.log.warn({ err: error, songId: song.id }, 'a play could not be counted');
      });
  }
}
