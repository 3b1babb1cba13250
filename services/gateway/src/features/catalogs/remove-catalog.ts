import { cancelScan, catalogId, removeCatalog, scanId } from '@continuo/contracts';
import type { HasReadModel } from '../../reads/database/database.js';
import { openScans } from '../../reads/visibility/catalogs.reads.js';
import { runCommand, runLongCommand } from '../../server/commands.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';
import type { CallerContext } from '../../server/requests/request-context.js';

/** Time for a scan to stop before its catalog is deleted, ms. */
const STOP_SCAN_MS = 15_000;

/** Deletes a catalog. Stops a running scan first, so that it adds nothing while the catalog is deleted. */
export const stopScansAndRemove = async (
  services: HasReadModel & HasCommands & HasConfig,
  request: CallerContext,
  catalog: number,
): Promise<void> => {
  for (const id of await openScans(services.db, catalog)) {
    await runLongCommand(services, request, { command: cancelScan, timeoutMs: STOP_SCAN_MS }, { scanId: scanId.parse(id), andWait: true });
  }
  await runCommand(services, request, removeCatalog, { catalogId: catalogId.parse(catalog) });
};
