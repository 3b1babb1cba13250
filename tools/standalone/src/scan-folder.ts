import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addCatalog, startScan, SYSTEM_ACTOR, type CatalogId, type MessageContext, type ScanTable } from '@continuo/contracts';
import type { Standalone } from './standalone.js';

const POLL_MS = 300;

/** Progress of a scan; `done` when it has ended. */
export interface ScanProgress {
  readonly scan: ScanTable;
  readonly done: boolean;
}

const context = (): MessageContext => ({ actor: SYSTEM_ACTOR, correlationId: randomUUID(), causationId: 'command-line' });

/** Adds the folder as a catalog unless it is one already, scans it, and yields the progress until the scan has ended. */
export async function* scanFolder(standalone: Standalone, folder: string): AsyncGenerator<ScanProgress> {
  const catalogId = await catalogOf(standalone, folder);
  const { result } = await standalone.commands.send(startScan, { catalogId }, context());
  for (;;) {
    const scan = await standalone.db.selectFrom('ingestion.scan').selectAll().where('id', '=', result.scanId).executeTakeFirst();
    const done = scan !== undefined && !['queued', 'running'].includes(scan.state);
    if (scan) yield { scan, done };
    if (done) return;
    await delay(POLL_MS);
  }
}

const catalogOf = async ({ db, commands }: Standalone, folder: string): Promise<CatalogId> => {
  const path = await realpath(folder).catch((error: unknown) => {
    throw new Error(`The folder ${folder} cannot be read.`, { cause: error });
  });
  const known = await db.selectFrom('library.catalog').select('id').where('path', '=', path).executeTakeFirst();
  if (known) return known.id as CatalogId;
  const added = await commands.send(addCatalog, { name: basename(path) || 'music', path }, context());
  return added.result.catalogId;
};
