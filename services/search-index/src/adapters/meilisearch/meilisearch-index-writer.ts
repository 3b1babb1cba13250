import { isBefore } from '@continuo/chassis';
import type { EnqueuedTask, Meilisearch } from 'meilisearch';
import {
  SearchUnavailable,
  type SearchBatch,
  type SearchCheckpoint,
  type SearchIndexWriter,
  type SearchRebuild,
} from '../../search-index.js';
import { searchKinds, type SearchKind } from '../../search-document.js';
import { enqueueBatch } from './meilisearch-batches.js';
import {
  connectMeilisearch,
  limitsOf,
  meilisearchCode,
  persistently,
  type MeilisearchLimits,
  type MeilisearchOptions,
} from './meilisearch-connection.js';
import { stateDocument, type StateDocument } from './meilisearch-documents.js';
import { indexNames, isRebuildIndex, MEILISEARCH_FORM_VERSION, OLDEST_MEILISEARCH, type IndexNames } from './meilisearch-index-settings.js';
import { MeilisearchRebuild } from './meilisearch-rebuild.js';
import { MeilisearchTasks } from './meilisearch-tasks.js';

const INDEXES_PER_QUESTION = 200;

/** Fills Meilisearch: an index per kind and one for the checkpoint, all of which a rebuild replaces in one step. */
export class MeilisearchIndexWriter implements SearchIndexWriter {
  readonly name = 'meilisearch';
  readonly #client: Meilisearch;
  readonly #limits: MeilisearchLimits;
  readonly #live: IndexNames;
  readonly #tasks: MeilisearchTasks;

  constructor(options: MeilisearchOptions) {
    this.#client = connectMeilisearch(options);
    this.#limits = limitsOf(options);
    this.#live = indexNames(options.prefix);
    this.#tasks = new MeilisearchTasks(this.#client, this.#limits);
  }

  /** Looks whether the server answers, takes the key, and is young enough; drops what dead rebuilds left. Indexes are made by rebuilds. */
  async prepare(): Promise<void> {
    const { pkgVersion } = await this.#ask(() => this.#client.getVersion());
    if (isBefore(pkgVersion, OLDEST_MEILISEARCH, 2))
      throw new SearchUnavailable(`Meilisearch ${pkgVersion} is too old: at least ${OLDEST_MEILISEARCH} is needed`);
    await this.#dropLeftovers();
  }

  async checkpoint(): Promise<SearchCheckpoint | undefined> {
    const state = await this.#found(() => this.#client.index<StateDocument>(this.#live.state).getDocument<StateDocument>(1));
    if (state === undefined || state.form !== MEILISEARCH_FORM_VERSION) return undefined;
    const queries = searchKinds.map((kind) => ({ indexUid: this.#live.byKind[kind], limit: 0 }));
    const all = await this.#found(() => this.#client.multiSearch({ queries }));
    return all && { epoch: state.epoch, position: state.position, version: state.version };
  }

  /** The live index is looked at first: the server would make one without settings out of documents for an index that it does not have. */
  async apply(batch: SearchBatch, checkpoint: SearchCheckpoint): Promise<void> {
    if ((await this.checkpoint()) === undefined) throw new SearchUnavailable('Meilisearch has no index to which changes could be applied');
    await this.#carriedOut(() => enqueueBatch({ client: this.#client, tasks: this.#tasks, limits: this.#limits }, this.#live, batch));
    const state = this.#client.index(this.#live.state);
    await this.#carriedOut(() =>
      this.#tasks.enqueue([this.#live.state], () => state.addDocuments([stateDocument(checkpoint)], { primaryKey: 'id' })),
    );
  }

  async beginRebuild(): Promise<SearchRebuild> {
    await this.#dropLeftovers();
    const run = `r${Date.now().toString(36)}${Math.floor(Math.random() * 36 ** 4).toString(36)}`;
    const limits = { ...this.#limits, retries: this.#limits.rebuildRetries };
    return MeilisearchRebuild.begin(this.#client, limits, { live: this.#live, fresh: indexNames(this.#limits.prefix, run) });
  }

  async counts(): Promise<Record<SearchKind, number>> {
    const counted = searchKinds.map(async (kind) => {
      const stats = await this.#found(() => this.#client.index(this.#live.byKind[kind]).getStats());
      return [kind, stats?.numberOfDocuments ?? 0] as const;
    });
    return Object.fromEntries(await Promise.all(counted)) as Record<SearchKind, number>;
  }

  async #dropLeftovers(): Promise<void> {
    const left: string[] = [];
    for (let offset = 0, total = 1; offset < total; offset += INDEXES_PER_QUESTION) {
      const page = await this.#ask(() => this.#client.getRawIndexes({ offset, limit: INDEXES_PER_QUESTION }));
      left.push(...page.results.map(({ uid }) => uid).filter((uid) => isRebuildIndex(this.#limits.prefix, uid)));
      ({ total } = page);
    }
    const drop = (uid: string) => (): Promise<EnqueuedTask> => this.#client.deleteIndex(uid);
    await this.#carriedOut(async () => {
      for (const uid of left) await this.#tasks.enqueue([uid], drop(uid));
    });
  }

  /** After a failure nothing is waited for any more: the batch comes again, and the server's queue is looked at before it does. */
  async #carriedOut(enqueue: () => Promise<void>): Promise<void> {
    try {
      await enqueue();
      await this.#tasks.settle();
    } catch (error) {
      this.#tasks.forget();
      throw error;
    }
  }

  #ask<T>(request: () => Promise<T>): Promise<T> {
    return persistently(request, this.#limits.retries);
  }

  /** Undefined for an index or a document that is not there. */
  async #found<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#ask(request);
    } catch (error) {
      const code = meilisearchCode(error);
      if (code === 'index_not_found' || code === 'document_not_found') return undefined;
      throw error;
    }
  }
}
