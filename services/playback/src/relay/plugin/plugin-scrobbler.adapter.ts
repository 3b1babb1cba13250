import { unlessAborted } from '@continuo/chassis';
import { PluginFault, type PlayedSong, type PluginHost } from '@continuo/plugins';
import { z } from 'zod';
import type { KnownAccount, Listen, RelayTarget, Scrobbler, Submission } from '../listen.js';

/** Options of the plug-ins that scrobble. */
export interface PluginScrobblerOptions {
  readonly plugins: () => Promise<PluginHost>;
  readonly timeoutMs: number;
}

/** As the interface of plug-ins says. */
const MAX_LISTENS = 25;
/** One that rests, or is not there, is not asked by each play. */
const AWAY_MS = 60_000;
const MAX_TEXT = 300;

const reason = z.string().transform((text) => text.slice(0, MAX_TEXT));
const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('taken') }),
  z.object({ outcome: z.literal('unwanted'), reason }),
  z.object({ outcome: z.literal('unlinked'), reason }),
  z.object({ outcome: z.literal('later'), afterMs: z.number().min(0), reason }),
]);
const validity = z.object({ valid: z.boolean(), name: reason.optional() });

const playedSong = (listen: Listen): PlayedSong => ({
  title: listen.title,
  artist: listen.artist,
  album: listen.album,
  albumArtist: listen.albumArtist,
  mbid: listen.recordingMbid,
  releaseMbid: listen.releaseMbid,
  durationMs: listen.durationMs,
  trackNumber: listen.track,
  playedAtMs: listen.playedAtMs,
});

/** Services that a plug-in speaks for: the base address of a target is the name of the plug-in. */
export class PluginScrobbler implements Scrobbler {
  readonly maxListens = MAX_LISTENS;
  readonly maxAgeMs = undefined;

  constructor(private readonly options: PluginScrobblerOptions) {}

  async submit(target: RelayTarget, listens: readonly Listen[], signal?: AbortSignal): Promise<Submission> {
    const said = await this.#ask(target.baseUrl, 'scrobble', { secret: target.credential, plays: listens.map(playedSong) }, signal);
    if (said.kind !== 'said') return said;
    const read = outcome.safeParse(said.answer);
    if (!read.success) return { kind: 'later', reason: 'its plug-in answered something that makes no sense', isSuspect: true };
    switch (read.data.outcome) {
      case 'taken':
        return { kind: 'taken', outcomes: listens.map(() => 'taken' as const) };
      case 'unwanted':
        return { kind: 'refused', reason: read.data.reason };
      case 'unlinked':
        return { kind: 'unauthorized', reason: read.data.reason };
      case 'later':
        return { kind: 'later', reason: read.data.reason, retryAfterMs: read.data.afterMs };
    }
  }

  async nowPlaying(target: RelayTarget, listen: Listen, signal?: AbortSignal): Promise<Submission> {
    const { playedAtMs: _, ...song } = playedSong(listen);
    const plugin = (await this.options.plugins()).named(target.baseUrl);
    if (!plugin?.has('scrobbler', 'nowPlaying')) return { kind: 'refused', reason: 'it is not told what plays now' };
    const said = await this.#ask(target.baseUrl, 'nowPlaying', { secret: target.credential, song }, signal);
    return said.kind === 'said' ? { kind: 'taken', outcomes: ['taken'] } : said;
  }

  async love(): Promise<Submission> {
    return { kind: 'refused', reason: 'plug-ins are not told what somebody loves' };
  }

  /** Account of the secret at the service; a plug-in that cannot tell takes every one. A sentence for an invalid secret, or when the plug-in cannot be asked. */
  async accountOf({ baseUrl, credential }: RelayTarget): Promise<KnownAccount | { readonly fault: string; readonly isForGood: boolean }> {
    const plugin = (await this.options.plugins()).named(baseUrl);
    if (!plugin?.has('scrobbler', 'scrobble')) return { fault: 'there is no such service', isForGood: true };
    if (!plugin.has('scrobbler', 'check')) return { name: '', credential };
    const said = await this.#ask(baseUrl, 'check', { secret: credential });
    if (said.kind !== 'said') return { fault: said.kind === 'later' ? said.reason : 'it does not answer', isForGood: false };
    const read = validity.safeParse(said.answer);
    if (!read.success) return { fault: 'its plug-in answered something that makes no sense', isForGood: false };
    return read.data.valid ? { name: read.data.name ?? '', credential } : { fault: 'it does not know this', isForGood: true };
  }

  async #ask(
    name: string,
    what: string,
    query: unknown,
    signal?: AbortSignal,
  ): Promise<{ readonly kind: 'said'; readonly answer: unknown } | Extract<Submission, { kind: 'later' }>> {
    const plugin = (await this.options.plugins()).named(name);
    if (!plugin) return { kind: 'later', reason: 'its plug-in is not in use', retryAfterMs: AWAY_MS };
    try {
      const asked = plugin.ask('scrobbler', what, query, this.options.timeoutMs);
      return { kind: 'said', answer: await unlessAborted(asked, signal) };
    } catch (error) {
      if (!(error instanceof PluginFault)) throw error;
      const isAway = error.kind === 'resting' || error.kind === 'not-running';
      return {
        kind: 'later',
        reason: error.message.slice(0, MAX_TEXT),
        ...(isAway ? { retryAfterMs: AWAY_MS } : {}),
        isSuspect: error.kind === 'failed',
      };
    }
  }
}
