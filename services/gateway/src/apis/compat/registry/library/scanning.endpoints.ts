import { startScan } from '@continuo/contracts';
import { runCommand } from '../../../../server/commands.js';
import { visibleCatalogs } from '../../../../reads/visibility/catalog-scope.reads.js';
import { scanState } from '../../../../reads/library/scan-state.reads.js';
import { objectBody } from '../../documents.js';
import { scanStatus } from '../../objects/small.object.js';
import { endpointsUsing, anybody, catalogManagers } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { document } = endpointsUsing<Services>();

/** Operations about scans. */
export const scanningEndpoints = {
  getScanStatus: document({
    access: anybody,
    params: {},
    body: objectBody('scanStatus', scanStatus),
    answer: ({ services, viewer }) => scanState(services.db, viewer),
  }),

  /** Queues a scan of every catalog that the caller sees, without waiting; running scans continue. */
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
