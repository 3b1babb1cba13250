import { randomUUID } from 'node:crypto';
import type { CatalogId, CommandMessage, MessageContext, ScanMode } from '@continuo/contracts';
import type { Logger } from 'pino';
import { CatalogScan, type ScanPart, type ScanDependencies } from '../scan/catalog-scan.js';
import { catalogById } from '../scan/known-folders.reads.js';
import { zeroCounts } from '../scan/scan.decider.js';
import type { ScanStart } from '../scan/scan-start.js';
import { ScanTally } from '../scan/scan-tally.js';
import type { Touched } from './changed-paths.js';

export interface ChangedPathsScanDependencies extends ScanDependencies {
  readonly starts: Pick<ScanStart, 'start'>;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const LIMIT_MS = 20 * 60_000;
const actor = 'system';

/** A command that nobody has sent. */
const ownMessage = (at: number, why: string): CommandMessage => {
  const id = randomUUID();
  return { id, at, actor, correlationId: id, causationId: why, data: {} };
};

/** Queues a scan of a catalog that looks for changes, unless one is under way. */
export const startWholeScan = async (
  { starts, now }: Pick<ChangedPathsScanDependencies, 'starts' | 'now'>,
  catalogId: CatalogId,
  why: string,
): Promise<void> => {
  await starts.start({ catalogId, mode: 'changes' }, ownMessage(now(), why));
};

/** One pass over changed paths. */
interface TouchedPass {
  readonly mode: Extract<ScanMode, 'add' | 'changes'>;
  readonly beforeRemoval?: () => Promise<void>;
}

const passOver = async (deps: ChangedPathsScanDependencies, catalogId: CatalogId, touched: Touched, pass: TouchedPass): Promise<void> => {
  const { id: correlationId } = ownMessage(deps.now(), 'watch');
  const context: MessageContext = { actor, correlationId, causationId: 'watch' };
  const parts: ScanPart[] = [
    ...(touched.trees.length > 0 ? [{ kind: 'trees', paths: touched.trees } as const] : []),
    ...(touched.files.size > 0 ? [{ kind: 'files', folders: touched.files } as const] : []),
  ];
  const tally = new ScanTally(zeroCounts);
  const signal = AbortSignal.timeout(LIMIT_MS);
  for (const part of parts) {
    // Counts of known songs matter for what may be removed: each part sees them as they are by then.
    const catalog = await catalogById(deps.db, catalogId);
    if (catalog === undefined) return;
    await CatalogScan.execute(deps, { catalog, ...pass, part, context, tally, signal });
  }
  const { songsAdded, songsChanged, songsMoved, songsRemoved } = tally.counts();
  if (songsAdded + songsChanged + songsMoved + songsRemoved === 0) return;
  deps.log.info({ catalogId, songsAdded, songsChanged, songsMoved, songsRemoved }, 'changed paths scanned');
};

/**
 * Takes in what is new among what was touched: files that were moved are found at their new places while the library still knows them at the old ones, and keep their ids.
 * Nothing is removed.
 * @throws RootUnusable when the root is not there
 */
export const addChangedPath = async (deps: ChangedPathsScanDependencies, catalogId: CatalogId, touched: Touched | 'all'): Promise<void> =>
  touched === 'all' ? startWholeScan(deps, catalogId, 'watch') : passOver(deps, catalogId, touched, { mode: 'add' });

/**
 * Records what has changed and what is gone of what was touched, once everything new has been taken in.
 * @param beforeRemoval called when something was found to be gone, before that is recorded; throws to have it stay
 * @throws RootUnusable when the root is not there, or bare; nothing is removed then
 */
export const removeMissingPaths = async (
  deps: ChangedPathsScanDependencies,
  catalogId: CatalogId,
  touched: Touched,
  beforeRemoval?: () => Promise<void>,
): Promise<void> => passOver(deps, catalogId, touched, { mode: 'changes', ...(beforeRemoval ? { beforeRemoval } : {}) });

/** Looks at what somebody has moved who says where to: new places first, what is gone last. @throws RootUnusable as its parts do */
export const scanChangedPaths = async (deps: ChangedPathsScanDependencies, catalogId: CatalogId, touched: Touched): Promise<void> => {
  await addChangedPath(deps, catalogId, touched);
  await removeMissingPaths(deps, catalogId, touched);
};
