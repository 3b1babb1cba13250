import type { Meilisearch } from 'meilisearch';
import type { SearchBatch, SearchCheckpoint, SearchRebuild } from '../../search-index.js';
import { enqueueBatch } from './meilisearch-batches.js';
import { persistently, type MeilisearchLimits } from './meilisearch-connection.js';
import { stateDocument } from './meilisearch-documents.js';
import { stateSettings, thingSettings, type IndexNames } from './meilisearch-index-settings.js';
import { MeilisearchTasks } from './meilisearch-tasks.js';

/** The indexes that are searched, and those that are to take their place. */
export interface RebuildIndexes {
  readonly live: IndexNames;
  readonly fresh: IndexNames;
}

/** Indexes under names of their own, exchanged with the live ones by one task of the server when they are full. */
export class MeilisearchRebuild implements SearchRebuild {
  readonly #client: Meilisearch;
  readonly #limits: MeilisearchLimits;
  readonly #indexes: RebuildIndexes;
  readonly #tasks: MeilisearchTasks;
  #ended = false;

  private constructor(client: Meilisearch, limits: MeilisearchLimits, indexes: RebuildIndexes) {
    this.#client = client;
    this.#limits = limits;
    this.#indexes = indexes;
    this.#tasks = new MeilisearchTasks(client, limits);
  }

  /** Makes the new indexes with their settings. @throws SearchUnavailable */
  static async begin(client: Meilisearch, limits: MeilisearchLimits, indexes: RebuildIndexes): Promise<MeilisearchRebuild> {
    const rebuild = new MeilisearchRebuild(client, limits, indexes);
    await rebuild.#create(indexes.fresh.all);
    for (const uid of indexes.fresh.all) {
      const settings = uid === indexes.fresh.state ? stateSettings : thingSettings;
      await rebuild.#tasks.enqueue([uid], () => client.index(uid).updateSettings(settings));
    }
    await rebuild.#tasks.settle();
    return rebuild;
  }

  /** Returns while some tasks are still to be carried out, so that the server can take several of them together. */
  async write(batch: SearchBatch): Promise<void> {
    await enqueueBatch({ client: this.#client, tasks: this.#tasks, limits: this.#limits }, this.#indexes.fresh, batch);
    await this.#tasks.settle(Math.floor(this.#limits.maxQueuedTasks / 2));
  }

  async swap(checkpoint: SearchCheckpoint): Promise<void> {
    const { live, fresh } = this.#indexes;
    const state = this.#client.index(fresh.state);
    await this.#tasks.settle();
    await this.#tasks.enqueue([fresh.state], () => state.addDocuments([stateDocument(checkpoint)], { primaryKey: 'id' }));
    await this.#tasks.settle();
    await this.#create(await this.#missing(live.all));
    const pairs = live.all.map((uid, place) => ({ indexes: [uid, fresh.all[place] ?? uid] as [string, string], rename: false }));
    await this.#tasks.enqueue([...live.all, ...fresh.all], () => this.#client.swapIndexes(pairs));
    await this.#tasks.settle();
    // From here on the fresh names stand for the old contents.
    await this.#drop();
  }

  async abandon(): Promise<void> {
    if (!this.#ended) await this.#drop();
  }

  async #drop(): Promise<void> {
    this.#ended = true;
    this.#tasks.forget();
    for (const uid of await this.#existing(this.#indexes.fresh.all)) await this.#tasks.enqueue([uid], () => this.#client.deleteIndex(uid));
    await this.#tasks.settle();
  }

  async #create(uids: readonly string[]): Promise<void> {
    for (const uid of uids) await this.#tasks.enqueue([uid], () => this.#client.createIndex(uid, { primaryKey: 'id' }));
    await this.#tasks.settle();
  }

  async #missing(uids: readonly string[]): Promise<string[]> {
    const there = new Set(await this.#existing(uids));
    return uids.filter((uid) => !there.has(uid));
  }

  async #existing(uids: readonly string[]): Promise<string[]> {
    const { results } = await persistently(() => this.#client.getRawIndexes({ limit: 1000 }), this.#limits.retries);
    const there = new Set(results.map(({ uid }) => uid));
    return uids.filter((uid) => there.has(uid));
  }
}
