import { z } from 'zod';
import { defineJob } from '../define.js';
import { catalogId, scanId } from '../ids.js';
import { scanMode } from '../scan-mode.js';

/** One scan of one catalog; redelivered after a crash, it goes on with what is not recorded yet. */
export const scanCatalog = defineJob('ingest', 'scan-catalog', z.object({ scanId, catalogId, mode: scanMode.default('changes') }));
