import type { Meilisearch } from 'meilisearch';
import type { SearchBatch } from '../../search-index.js';
import { searchKinds, type SearchKind } from '../../search-document.js';
import type { MeilisearchLimits } from './meilisearch-connection.js';
import { popularityPart, thingDocument } from './meilisearch-documents.js';
import type { IndexNames } from './meilisearch-index-settings.js';
import type { MeilisearchTasks } from './meilisearch-tasks.js';

/** Dependencies for writing a batch. */
export interface BatchWriter {
  readonly client: Meilisearch;
  readonly tasks: MeilisearchTasks;
  readonly limits: MeilisearchLimits;
}

/**
 * Gives a batch to the server, kind by kind and in requests of limited size; resolves when all of it is in the queue.
 * @throws SearchUnavailable
 */
export const enqueueBatch = async (writer: BatchWriter, names: IndexNames, batch: SearchBatch): Promise<void> => {
  for (const kind of searchKinds) await enqueueKind(writer, names.byKind[kind], kind, batch);
};

const enqueueKind = async ({ client, tasks, limits }: BatchWriter, uid: string, kind: SearchKind, batch: SearchBatch): Promise<void> => {
  const index = client.index(uid);
  const ofKind = <T extends { readonly kind: SearchKind }>(all: readonly T[] = []): T[][] =>
    chunks(
      all.filter((one) => one.kind === kind),
      limits.documentsPerRequest,
    );
  for (const documents of ofKind(batch.upserts))
    await tasks.enqueue([uid], () => index.addDocuments(documents.map(thingDocument), { primaryKey: 'id' }));
  for (const changes of ofKind(batch.popularity))
    await tasks.enqueue([uid], () => index.updateDocuments(changes.map(popularityPart), { primaryKey: 'id', skipCreation: true }));
  for (const keys of ofKind(batch.deletions)) await tasks.enqueue([uid], () => index.deleteDocuments(keys.map(({ id }) => id)));
};

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
