import { requestEpisodeDownloads, subscribePodcast, type CatalogId, type PodcastEpisodeId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { until } from '../until.js';
import type { InsistentClient } from '../writes/insistent-client.js';
import type { EpisodeServer } from './episode-server.js';

const SHOWN_MS = 120_000;
const END_MS = 240_000;

/** What the chain works with. */
export interface ChainTools {
  readonly client: InsistentClient;
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

  constructor(private readonly tools: ChainTools) {}

  get waves(): number {
    return this.#waves;
  }

  /** Returns when files are on their way, those of a new podcast if need be. */
  async busy(): Promise<void> {
    if ((await this.interrupted()) !== undefined) return;
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

  /** How far the last podcast is; undefined when all of it is over, or there is none. */
  async interrupted(): Promise<string | undefined> {
    if (this.#waves === 0) return undefined;
    const progress = await this.#progress();
    if (progress?.over === this.#waves * this.tools.episodes) return undefined;
    return `podcast ${this.#waves}, ${progress?.over ?? '?'} of ${this.#waves * this.tools.episodes} files here`;
  }

  /** Waits for the end of all. @throws Error when they do not come to it */
  async finish(): Promise<void> {
    await until('every file is here', END_MS, async () => (await this.interrupted()) === undefined);
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
