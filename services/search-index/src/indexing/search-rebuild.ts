import { jetstreamManager } from '@nats-io/jetstream';
import { pause, streamState } from '@continuo/chassis';
import type { SearchIndexWriter } from '../search-index.js';
import type { IndexerContext } from './indexer-context.js';
import { batchSize, type SearchSource } from './search-source.js';

const POLL_MS = 250;
/** A read model that makes no progress for so long is taken as it is. */
const STALLED_MS = 10_000;

/**
 * Fills a new index from the read model and puts it in place; `tell` hears how many entries are written. What changes meanwhile is told by events after the answered position. Undefined when it
 * was broken off.
 * @throws SearchUnavailable when the index cannot be written
 */
export const rebuildSearchIndex = async (
  { nats, log, metrics, tell }: Pick<IndexerContext, 'nats' | 'log' | 'metrics'> & { readonly tell: (written: number) => void },
  writer: SearchIndexWriter,
  source: SearchSource,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const index = writer.name;
  const began = Date.now();
  const { epoch, lastPosition } = await streamState(await jetstreamManager(nats), source.stream);
  const position = Math.min(await caughtUp(source, lastPosition, signal), lastPosition);
  const rebuild = await writer.beginRebuild();
  let documents = 0;
  try {
    for await (const batch of source.everything(signal)) {
      if (signal.aborted) break;
      await rebuild.write(batch);
      documents += batchSize(batch);
      tell(documents);
    }
    if (!signal.aborted) await rebuild.swap({ epoch, position, version: source.version });
  } catch (error) {
    await rebuild.abandon().catch((cause: unknown) => log.warn({ err: cause, index }, 'a half-built search index was left behind'));
    throw error;
  }
  if (signal.aborted) {
    await rebuild.abandon();
    return undefined;
  }
  metrics.rebuilds.inc({ index });
  log.info({ index, documents, position, durationMs: Date.now() - began }, 'search index built');
  return position;
};

/** Position of the read model once it has reached the end of the log, or gets no further. */
const caughtUp = async (source: SearchSource, lastPosition: number, signal: AbortSignal): Promise<number> => {
  let position = await source.readablePosition();
  for (let movedAt = Date.now(); position < lastPosition && Date.now() - movedAt < STALLED_MS && !signal.aborted;) {
    await pause(POLL_MS, signal);
    const now = await source.readablePosition();
    if (now > position) movedAt = Date.now();
    position = now;
  }
  return position;
};
