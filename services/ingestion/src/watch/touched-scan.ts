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

/**
 * Looks at what was touched in a catalog. New files come first and what is gone last: a file that was moved is found at its new place while the library still
 * knows it at the old one, and keeps its id.
 * @throws RootUnusable when the root is not there, or bare; nothing is removed then
 */
export const scanTouched = async (tools: TouchedScanTools, catalogId: CatalogId, touched: Touched | 'all'): Promise<void> => {
  if (touched === 'all') return startWholeScan(tools, catalogId, 'watch');
  const { id: correlationId } = ownMessage(tools.now(), 'watch');
  const context: MessageContext = { actor, correlationId, causationId: 'watch' };
  const parts: ScanPart[] = [
    ...(touched.trees.length > 0 ? [{ kind: 'trees', paths: touched.trees } as const] : []),
    ...(touched.files.size > 0 ? [{ kind: 'files', folders: touched.files } as const] : []),
  ];
  const tally = new ScanTally(noCounts);
  const signal = AbortSignal.timeout(LIMIT_MS);
  for (const mode of ['add', 'changes'] as const satisfies readonly ScanMode[]) {
    for (const part of parts) {
      // Counts of known songs matter for what may be removed: each part sees them as they are by then.
      const catalog = await catalogById(tools.db, catalogId);
      if (catalog === undefined) return;
      await CatalogScan.execute(tools, { catalog, mode, part, context, tally, signal });
    }
  }
  const { songsAdded, songsChanged, songsMoved, songsRemoved } = tally.counts();
  tools.log.info({ catalogId, songsAdded, songsChanged, songsMoved, songsRemoved }, 'what was touched in a catalog is recorded');
};
