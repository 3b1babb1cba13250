import { z } from 'zod';
import { defineCommand } from '../define.js';
import { catalogId, scanId } from '../ids.js';
import { scanMode } from '../scan-mode.js';

/**
 * Queues a scan of a catalog. While one is queued or running for it that does what is asked for, answers that one's id with `alreadyRunning`; whoever asks for
 * `changes` is content with any. Refused with `scan.running` while one of another mode is under way.
 */
export const startScan = defineCommand(
  'ingest',
  'start-scan',
  z.object({ catalogId, mode: scanMode.default('changes') }),
  z.object({ scanId, alreadyRunning: z.boolean() }),
);

/** Asks a running scan to stop; what it recorded so far stays. With `andWait` the answer comes when its worker has stopped, or after some seconds. */
export const cancelScan = defineCommand('ingest', 'cancel-scan', z.object({ scanId, andWait: z.boolean().default(false) }), z.object({}));
