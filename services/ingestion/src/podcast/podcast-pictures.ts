import { OutboundError, type CommandClient, type OutboundClient } from '@continuo/chassis';
import { recordPodcastArt, type ArtRef, type LogPosition, type MessageContext, type PodcastId } from '@continuo/contracts';
import type { Logger } from 'pino';
import type { ArtStore } from '@continuo/media-store';
import { inspectPicture, type PictureLimits } from '../tags/picture.js';

/** Dependencies of {@link PodcastPictures}. */
export interface PodcastPicturesDependencies {
  readonly outbound: OutboundClient;
  readonly store: ArtStore;
  readonly commands: CommandClient;
  /** Where the picture that is kept came from; undefined: none is. */
  readonly keptFrom: (podcastId: PodcastId) => Promise<string | undefined>;
  readonly limits: PictureLimits;
  readonly log: Logger;
  readonly now: () => number;
}

const FETCH_MS = 10_000;
/** A picture that could not be had is left alone for so long, ms. */
const PAUSE_MS = 86_400_000;
/** Pictures that could not be had, and are remembered by this process. */
const MAX_REMEMBERED = 10_000;

/** An answer that is no picture, in words for the log. */
class UnusablePicture extends Error {
  override readonly name = 'UnusablePicture';
}

/** Fetches the pictures that feeds name, once for each address. A podcast without its picture is one all the same: nothing of this fails a visit. */
export class PodcastPictures {
  readonly #failedAtMs = new Map<string, number>();

  constructor(private readonly deps: PodcastPicturesDependencies) {}

  /** Keeps the picture of a podcast when it is another one than before; answers where in the log that is said. */
  async keep(podcastId: PodcastId, imageUrl: string | null, context: MessageContext): Promise<readonly LogPosition[]> {
    if (imageUrl === null || this.#isPaused(imageUrl)) return [];
    try {
      if ((await this.deps.keptFrom(podcastId)) === imageUrl) return [];
      const art = await this.#fetched(imageUrl);
      return (await this.deps.commands.send(recordPodcastArt, { podcastId, imageUrl, art }, context)).positions;
    } catch (error) {
      this.#failed(imageUrl);
      const isTheirs = error instanceof OutboundError || error instanceof UnusablePicture;
      if (isTheirs) this.deps.log.info({ podcastId, reason: error.message }, 'podcast picture could not be fetched');
      else this.deps.log.error({ podcastId, err: error }, 'failed to store podcast picture');
      return [];
    }
  }

  async #fetched(url: string): Promise<ArtRef> {
    const { outbound, limits, store } = this.deps;
    const headers = { accept: 'image/*' };
    const { status, body } = await outbound.fetch({ url, headers, timeoutMs: FETCH_MS, maxBytes: limits.maxBytes });
    if (status !== 200) throw new UnusablePicture(`the server of the picture answered ${status}`);
    const picture = inspectPicture(body, limits);
    if (!picture.ok) throw new UnusablePicture(picture.why);
    await store.put(body);
    return picture.ref;
  }

  #isPaused(url: string): boolean {
    return this.deps.now() - (this.#failedAtMs.get(url) ?? -Infinity) < PAUSE_MS;
  }

  #failed(url: string): void {
    this.#failedAtMs.delete(url);
    this.#failedAtMs.set(url, this.deps.now());
    const [oldest] = this.#failedAtMs.keys();
    if (this.#failedAtMs.size > MAX_REMEMBERED && oldest !== undefined) this.#failedAtMs.delete(oldest);
  }
}
