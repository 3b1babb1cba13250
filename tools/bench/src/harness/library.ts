import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { JetStreamEventStore } from '@continuo/chassis';
import { addCatalog, eventStreams, startScan, type CatalogId, type ScanTable } from '@continuo/contracts';
import { projectionStates, type Session } from '@continuo/operations';
import { generateEvents, type GeneratedEvents } from '../events/generate-events.js';
import type { StandaloneProcess } from './standalone-process.js';

const CATALOGUE = 'library-catalogue';
const POLL_MS = 20;
const SEED = 1;

/** Adds a catalog over a folder, once the library takes commands. */
export const newCatalog = async (session: Session, name: string, path: string): Promise<CatalogId> => {
  const { result, positions } = await session.commands.send(addCatalog, { name, path }, session.context(), { timeoutMs: 60_000 });
  await session.watch.waitFor(positions, 10_000);
  return result.catalogId;
};

/** Waits until the catalogue has projected up to a position. */
export const untilProjected = async (session: Session, position: number): Promise<void> => {
  for (;;) {
    const state = (await projectionStates(session)).find((it) => it.name === CATALOGUE && it.state === 'live');
    if (state && state.position >= position) return;
    await delay(POLL_MS);
  }
};

/** Result of loading a library. */
export interface LoadedLibrary extends GeneratedEvents {
  readonly catalogId: CatalogId;
  /** Writing the events, ms. */
  readonly appendMs: number;
  /** From the first event to the last row, ms. */
  readonly untilReadableMs: number;
}

/** Fills a fresh server with a synthetic library and waits until all of it can be read. */
export const loadLibrary = async (server: Pick<StandaloneProcess, 'session' | 'dataFolder'>, songs: number): Promise<LoadedLibrary> => {
  const { session } = server;
  const folder = `${server.dataFolder}-music`;
  await mkdir(folder);
  const catalogId = await newCatalog(session, 'Bench', folder);
  const started = performance.now();
  const written = await generateEvents(new JetStreamEventStore(session.nats, session.manager, 30_000), { songs, seed: SEED, catalogId });
  const appendMs = performance.now() - started;
  await untilProjected(session, written.position);
  return { ...written, catalogId, appendMs, untilReadableMs: performance.now() - started };
};

const isOver = ({ state }: ScanTable): boolean => state === 'finished' || state === 'failed' || state === 'cancelled';

/** The last position of the library's log. */
export const libraryEnd = async ({ manager }: Session): Promise<number> =>
  (await manager.streams.info(eventStreams.library)).state.last_seq;

/**
 * Scans a catalog and waits until all that it found can be read.
 * @throws Error when the scan does not finish.
 */
export const scanCatalog = async (session: Session, catalogId: CatalogId): Promise<ScanTable> => {
  const { result } = await session.commands.send(startScan, { catalogId }, session.context(), { timeoutMs: 60_000 });
  for (;;) {
    const scan = await session.db.selectFrom('ingestion.scan').selectAll().where('id', '=', result.scanId).executeTakeFirst();
    if (scan && isOver(scan)) {
      if (scan.state !== 'finished') throw new Error(`the scan ${scan.state}: ${scan.message ?? 'no reason given'}`);
      await untilProjected(session, await libraryEnd(session));
      return scan;
    }
    await delay(POLL_MS);
  }
};
