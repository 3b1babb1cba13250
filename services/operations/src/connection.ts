import { join } from 'node:path';
import { z } from 'zod';

/**
 * Connection file of a running standalone: `<CONTINUO_DATA>/run/connection.json` (mode 0600) for programs on the same machine. Written when the
 * server can be reached, removed when it stops in order; `pid` tells a left-over from a living server.
 */
export const connectionSchema = z.object({
  version: z.literal(1),
  /** Process of the standalone. */
  pid: z.int().positive(),
  startedAtMs: z.int().nonnegative(),
  /** Where clients reach the server, for example `http://127.0.0.1:8080`. */
  url: z.url(),
  /** Health details and metrics, for example `http://127.0.0.1:9090`; absent when their port was taken. */
  metricsUrl: z.url().optional(),
  /** Absolute path of the data folder. */
  dataFolder: z.string().min(1),
  /** `ART_STORAGE` of the server; absent: the folder. */
  artStorage: z.string().optional(),
  databaseUrl: z.string().min(1),
  natsUrl: z.string().min(1),
  natsUser: z.string().optional(),
  natsPassword: z.string().optional(),
  /** File that holds `CONTINUO_SECRET`; absent when the secret came from the environment. */
  secretFile: z.string().optional(),
  /** `OPERATOR_SECRET` of the gateway: it opens the management API as long as this server runs. */
  operatorSecret: z.string().optional(),
});
export type StandaloneConnection = z.infer<typeof connectionSchema>;

/** Where a standalone over this data folder writes its connection data. */
export const connectionFileOf = (dataFolder: string): string => join(dataFolder, 'run', 'connection.json');
