import { requestEpisodeDownloads, subscribePodcast, type CatalogId, type PodcastEpisodeId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { until } from '../until.js';
import type { RetryingClient } from '../writes/retrying-client.js';
import type { EpisodeServer } from './episode-server.js';

const SHOWN_MS = 120_000;
const END_MS = 240_000;

/** Dependencies of the chain. */
export interface ChainDependencies {
  readonly client: RetryingClient;
  readonly db: Kysely<unknown>;
  readonly publisher: EpisodeServer;
  readonly catalogId: CatalogId;
  /** Episodes of each podcast. */
  readonly episodes: number;
}

interface Progress {
  readonly total: number;
  readonly over: number;
}

/** Podcasts one after the other, of which every episode is asked for, so that there is always something to fetch. */
export class DownloadChain {
  #waves = 0;

  constructor(private readonly tools: ChainDependencies) {}

  get waves(): number {
    return this.#waves;
  }

  /** Returns when a part of a file has arrived, of a new podcast if need be. */
  async busy(): Promise<void> {
    if (await this.#isComplete()) await this.#begin();
    await until('a file is on its way', END_MS, async () => this.tools.publisher.underway > 0 || (await this.#isComplete()));
  }

  async #begin(): Promise<void> {
    const { client, db, publisher, catalogId, episodes } = this.tools;
    this.#waves += 1;
    const { podcastId } = await client.send(subscribePodcast, { catalogId, feedUrl: publisher.feedUrl(this.#waves) });
    let ids: PodcastEpisodeId[] = [];
    await until('the episodes are shown', SHOWN_MS, async () => {
      const { rows } = await sql<{ id: PodcastEpisodeId }>`select id from library.podcast_episode where podcast_id = ${podcastId}`
        .execute(db)
        .catch(() => ({ rows: [] }));
      ids = rows.map(({ id }) => id);
      return ids.length === episodes;
    });
    await client.sendForgetfully(requestEpisodeDownloads, { podcastId, episodeIds: ids });
  }

  /** Progress of the last podcast; undefined while no file of it is on its way. */
  async interrupted(): Promise<string | undefined> {
    const progress = await this.#progress();
    if (this.tools.publisher.underway === 0) return undefined;
    return `podcast ${this.#waves}, ${progress?.over ?? '?'} of ${this.#waves * this.tools.episodes} files here`;
  }

  /** Waits for the end of all. @throws Error when they do not come to it */
  async finish(): Promise<void> {
    await until('every file is here', END_MS, () => this.#isComplete());
  }

  /** Whether every file of the podcasts so far is here; false while Postgres is away. */
  async #isComplete(): Promise<boolean> {
    return this.#waves === 0 || (await this.#progress())?.over === this.#waves * this.tools.episodes;
  }

  /** Undefined while Postgres is away: that is the point of the exercise. */
  async #progress(): Promise<Progress | undefined> {
    const found = await sql<Progress>`select count(*)::int as total, count(*) filter (where state in ('completed', 'error'))::int as over
      from library.podcast_episode`
      .execute(this.tools.db)
      .catch(() => ({ rows: [] }));
    return found.rows[0];
  }
}
