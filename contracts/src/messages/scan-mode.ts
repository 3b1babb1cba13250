import { z } from 'zod';

/**
 * Mode of a scan. `changes`: new, changed and removed files. `add`: new files alone. `clean`: what is gone, alone (a file that turns up
 * elsewhere moves, it is not gone). `verify`: every known file is read again, whatever its size and time say. `update`: all of these in one walk. `art`: the
 * pictures of every known file and folder are read again.
 */
export const scanMode = z.enum(['changes', 'add', 'clean', 'verify', 'update', 'art']);
export type ScanMode = z.infer<typeof scanMode>;
