import { randomUUID } from 'node:crypto';
import { Rejection, type CatalogId, type MessageContext, type PodcastId } from '@continuo/contracts';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';

/** Dependencies of {@link PodcastRefresh}. */
export interface PodcastRefreshDependencies {
  /** Podcasts by number from one on, of some catalogs or (null) of all that are switched on, at most so many. */
  readonly after: (id: number, catalogIds: readonly CatalogId[] | null, count: number) => Promise<readonly PodcastId[]>;
  readonly sync: (podcastId: PodcastId, context: MessageContext) => Promise<unknown>;
  readonly log: Logger;
}

/** Podcasts that are looked up at a time. */
const PAGE = 500;
/** Feeds that are visited at the same time. */
const AT_ONCE = 2;

type Cause = Omit<MessageContext, 'causationId'>;

/** Visits feeds because somebody asked for all of them. Each is in line once, however often it is asked for. */
export class PodcastRefresh implements OnApplicationShutdown {
  /** In the order in which they are visited, each with who asked. */
  readonly #waiting = new Map<PodcastId, Cause>();
  readonly #working = new Set<Promise<void>>();
  #stopped = false;

  constructor(private readonly deps: PodcastRefreshDependencies) {}

  /** Puts the feeds of catalogs in line, and answers when they stand there. */
  async request(catalogIds: readonly CatalogId[] | null, cause: Cause): Promise<void> {
    let last = 0;
    for (;;) {
      const page = await this.deps.after(last, catalogIds, PAGE);
      for (const id of page) if (!this.#waiting.has(id)) this.#waiting.set(id, cause);
      last = page.at(-1) ?? last;
      if (page.length < PAGE) break;
    }
    this.#start();
  }

  /** Lets the visits under way end; what waits is visited when its hour comes. */
  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    await Promise.all(this.#working);
  }

  #start(): void {
    // One that finds nothing in line ends at once.
    while (!this.#stopped && this.#working.size < AT_ONCE) {
      const work: Promise<void> = this.#work().finally(() => this.#working.delete(work));
      this.#working.add(work);
    }
  }

  async #work(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (!next) return;
      const [id, cause] = next;
      this.#waiting.delete(id);
      await this.#visit(id, cause);
    }
  }

  async #visit(podcastId: PodcastId, cause: Cause): Promise<void> {
    const { sync, log } = this.deps;
    try {
      await sync(podcastId, { ...cause, causationId: randomUUID() });
    } catch (error) {
      // A feed that is away is everyday life; anything else is ours.
      if (error instanceof Rejection) log.info({ podcastId, reason: error.message }, 'podcast feed could not be fetched');
      else log.error({ podcastId, err: error }, 'podcast feed refresh failed');
    }
  }
}
