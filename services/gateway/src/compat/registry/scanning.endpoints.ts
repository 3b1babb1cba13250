import { startScan } from '@continuo/contracts';
import { runCommand } from '../../commands.js';
import { visibleCatalogs } from '../../reads/catalog-scope.reads.js';
import { scanState } from '../../reads/scan-state.reads.js';
import { objectBody } from '../documents.js';
import { scanStatus } from '../objects/small.object.js';
import { anybody, catalogManagers, document } from './endpoint.js';

/** Scans of the library. */
export const scanningEndpoints = {
  getScanStatus: document({
    access: anybody,
    params: {},
    body: objectBody('scanStatus', scanStatus),
    answer: ({ services, viewer }) => scanState(services.db, viewer),
  }),

  /** Queues a scan of every catalog that the caller may see and answers at once; a catalog that is being scanned stays as it is (choices.md row 16). */
  startScan: document({
    access: catalogManagers,
    params: {},
    body: objectBody('scanStatus', scanStatus),
    answer: async ({ services, context, viewer }) => {
      const catalogs = await visibleCatalogs(services.db, viewer);
      await Promise.all(catalogs.map((catalog) => runCommand(services, context, startScan, { catalogId: catalog.id })));
      const state = await scanState(services.db, viewer);
      return { ...state, scanning: state.scanning || catalogs.length > 0 };
    },
  }),
} as const;
