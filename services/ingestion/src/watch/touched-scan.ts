import { randomUUID } from 'node:crypto';
import type { CatalogId, CommandMessage, MessageContext, ScanMode } from '@continuo/contracts';
import type { Logger } from 'pino';
import { CatalogScan, type ScanPart, type ScanTools } from '../scan/catalog-scan.js';
import { catalogById } from '../scan/known-folders.reads.js';
import { noCounts } from '../scan/scan.decider.js';
import type { ScanStart } from '../scan/scan-start.js';
import { ScanTally } from '../scan/scan-tally.js';
import type { Touched } from './touched-places.js';

export interface TouchedScanTools extends ScanTools {
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
  { starts, now }: Pick<TouchedScanTools, 'starts' | 'now'>,
  catalogId: CatalogId,
  why: string,
): Promise<void> => {
  await starts.start({ catalogId, mode: 'changes' }, ownMessage(now(), why));
};

/** What is looked for among what was touched. */
interface TouchedPass {
  readonly mode: Extract<ScanMode, 'add' | 'changes'>;
  readonly beforeRemoval?: () => Promise<void>;
}

const passOver = async (tools: TouchedScanTools, catalogId: CatalogId, touched: Touched, pass: TouchedPass): Promise<void> => {
  const { id: correlationId } = ownMessage(tools.now(), 'watch');
  const context: MessageContext = { actor, correlationId, causationId: 'watch' };
  const parts: ScanPart[] = [
    ...(touched.trees.length > 0 ? [{ kind: 'trees', paths: touched.trees } as const] : []),
    ...(touched.files.size > 0 ? [{ kind: 'files', folders: touched.files } as const] : []),
  ];
  const tally = new ScanTally(noCounts);
  const signal = AbortSignal.timeout(LIMIT_MS);
  for (const part of parts) {
    // Counts of known songs matter for what may be removed: each part sees them as they are by then.
    const catalog = await catalogById(tools.db, catalogId);
    if (catalog === undefined) return;
    await CatalogScan.execute(tools, { catalog, ...pass, part, context, tally, signal });
  }
  const { songsAdded, songsChanged, songsMoved, songsRemoved } = tally.counts();
  if (songsAdded + songsChanged + songsMoved + songsRemoved === 0) return;
  tools.log.info({ catalogId, songsAdded, songsChanged, songsMoved, songsRemoved }, 'what was touched in a catalog is recorded');
};

/**
 * Takes in what is new among what was touched: files that were moved are found at their new places while the library still knows them at the old ones, and keep their ids.
 * Nothing is removed.
 * @throws RootUnusable when the root is not there
 */
export const addTouched = async (tools: TouchedScanTools, catalogId: CatalogId, touched: Touched | 'all'): Promise<void> =>
  touched === 'all' ? startWholeScan(tools, catalogId, 'watch') : passOver(tools, catalogId, touched, { mode: 'add' });

/**
 * Records what has changed and what is gone of what was touched, once everything new has been taken in.
 * @param beforeRemoval called when something was found to be gone, before that is recorded; throws to have it stay
 * @throws RootUnusable when the root is not there, or bare; nothing is removed then
 */
export const settleTouched = async (
  tools: TouchedScanTools,
  catalogId: CatalogId,
  touched: Touched,
  beforeRemoval?: () => Promise<void>,
): Promise<void> => passOver(tools, catalogId, touched, { mode: 'changes', ...(beforeRemoval ? { beforeRemoval } : {}) });

/** Looks at what somebody has moved who says where to: new places first, what is gone last. @throws RootUnusable as its parts do */
export const scanTouched = async (tools: TouchedScanTools, catalogId: CatalogId, touched: Touched): Promise<void> => {
  await addTouched(tools, catalogId, touched);
  await settleTouched(tools, catalogId, touched);
};
