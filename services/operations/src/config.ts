import { parseConfig, type Environment } from '@continuo/chassis';
import { artSettings, storageSettings } from '@continuo/media-store';
import { z } from 'zod';

const settings = z.object({
  /** Data folder of the standalone; its connection data lie in it. */
  CONTINUO_DATA: z.string().default('./data'),
  /** Set together with `NATS_URL` to reach servers without a standalone. */
  DATABASE_URL: z.string().optional(),
  NATS_URL: z.string().optional(),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_CREDS_FILE: z.string().optional(),
  NATS_TLS_CA_FILE: z.string().optional(),
  NATS_TLS_CERT_FILE: z.string().optional(),
  NATS_TLS_KEY_FILE: z.string().optional(),
  /** As the services have them; read by `continuo secrets`, `backup` and `restore`. */
  CONTINUO_SECRET: z.string().min(32).optional(),
  CONTINUO_SECRET_PREVIOUS: z.string().min(32).optional(),
  /** As the gateway and ingestion have them; read by `continuo art`, `backup`, `restore` and `doctor`. */
  ...artSettings,
  ...storageSettings,
  /** Base URL of the server whose management API answers commands. */
  CONTINUO_SERVER: z.string().optional(),
  /** API key of an administrator there. */
  CONTINUO_KEY: z.string().optional(),
  /** Name of a server that `continuo context add` has saved. */
  CONTINUO_CONTEXT: z.string().optional(),
  /** Where clients reach the server, as the gateway has it; read by `continuo doctor`. */
  PUBLIC_URL: z.string().optional(),
  /** Secret key or password of a catalog in another place that is added: not on the command line, where others can read it. */
  CONTINUO_CATALOG_SECRET: z.string().optional(),
});
export type Settings = Readonly<z.infer<typeof settings>>;

/** Reads the settings out of an environment. */
export const readSettings = (env: Environment): Settings => parseConfig(settings, env);

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
