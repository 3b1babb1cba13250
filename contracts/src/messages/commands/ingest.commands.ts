import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogId, scanId } from '../ids.js';

/** Queues a scan of a catalog. While one is queued or running for it, answers that one's id with `alreadyRunning`. */
export const startScan = defineCommand('ingest', 'start-scan', z.object({ catalogId }), z.object({ scanId, alreadyRunning: z.boolean() }));

/** Asks a running scan to stop; what it recorded so far stays. */
export const cancelScan = defineCommand('ingest', 'cancel-scan', z.object({ scanId }), z.object({}));
