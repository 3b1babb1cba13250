import { z } from 'zod';

/** Settings that every service reads. Names carry their units. */
export const baseConfig = z.object({
  /** Postgres, as a role that owns the services' schemas. */
  DATABASE_URL: z.string().min(1),
  /** Postgres for what is asked, as the role that may only read the published views; may be a replica. Defaults to `DATABASE_URL`. */
  DATABASE_READ_URL: z.string().min(1).optional(),
  /** Connections of one service to Postgres; those of its projections come on top. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(8),
  /** Statements of handlers and readers that run longer are cancelled, ms; migrations and projections have no limit. 0 = never. */
  DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(0).default(60_000),
  /** NATS with JetStream: `host:port` or a URL; several servers of a cluster are separated by commas. */
  NATS_URL: z.string().min(1),
  /** User name of the NATS login, when it is not in the URL. */
  NATS_USER: z.string().optional(),
  /** Password of the NATS login, when it is not in the URL. */
  NATS_PASSWORD: z.string().optional(),
  /** File with the credentials (JWT and seed) of the NATS login, in place of a name and a password. */
  NATS_CREDS_FILE: z.string().optional(),
  /** Certificates (PEM) of who vouches for the NATS servers; TLS is used then. Without it, `tls://` in the URL asks the certificates of the system. */
  NATS_TLS_CA_FILE: z.string().optional(),
  /** Certificate (PEM) with which a service shows NATS who it is. */
  NATS_TLS_CERT_FILE: z.string().optional(),
  /** Key (PEM) of `NATS_TLS_CERT_FILE`. */
  NATS_TLS_KEY_FILE: z.string().optional(),
  /** Copies of each stream: 1 on one machine, 3 in a cluster. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** Folder on the disk of the event log, where a service sees that disk: appends are refused while less than the reserve is free on it. The standalone sets it. */
  EVENT_LOG_FOLDER: z.string().min(1).optional(),
  /** Room that appends to the event log leave free on the disk of `EVENT_LOG_FOLDER`, bytes. Defaults to a twentieth of the disk, at most 512 MiB. */
  EVENT_LOG_KEEP_FREE_BYTES: z.coerce.number().int().min(0).optional(),
  /** Key material for sealed secrets; at least 32 characters. */
  CONTINUO_SECRET: z.string().min(32),
  /** The secret that `CONTINUO_SECRET` takes the place of, until `continuo secrets rotate` has run. */
  CONTINUO_SECRET_PREVIOUS: z.string().min(32).optional(),
  /** `true`: start although the data were made under a secret that is gone; what it sealed stays unreadable. */
  CONTINUO_SECRET_LOST: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  /** Folder for art and caches. */
  CONTINUO_DATA: z.string().default('./data'),
  /** Least level of the log lines that are written. */
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Port of the health and metrics endpoint of a service's own process; 0 switches it off. */
  HEALTH_PORT: z.coerce.number().int().min(0).max(65535).default(9090),
  /** Address on which the health and metrics endpoint listens. */
  HEALTH_HOST: z.string().default('0.0.0.0'),
  /** Timeout of a command's answer, ms. */
  COMMAND_TIMEOUT_MS: z.coerce.number().int().min(100).default(5000),
  /** Time after SIGTERM in which work is still accepted while readiness already fails: load balancers need a moment to notice. For gateways behind one; 5000 is plenty. */
  DRAIN_GRACE_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  /** Time limit for work under way after SIGTERM and the grace period. */
  DRAIN_TIMEOUT_MS: z.coerce.number().int().min(0).default(10_000),
  /** OTLP endpoint for traces; tracing is off without it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  /** Share of the requests that are traced, 0 to 1, when an OTLP endpoint is given. */
  TRACE_SAMPLE_RATIO: z.coerce.number().min(0).max(1).default(1),
});
export type BaseConfig = z.infer<typeof baseConfig>;

/** A setting that is on or off. */
export const flag = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0', 'on', 'off'])
    .default(byDefault ? 'true' : 'false')
    .transform((text) => text === 'true' || text === '1' || text === 'on');

/** A setting that is a whole number. @param least smallest value that is accepted */
export const whole = (least: number, byDefault: number) => z.coerce.number().int().min(least).default(byDefault);

/** The environment as a program is given it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a service's settings once; the result is frozen. An empty variable counts as absent.
 * @throws Error that names every variable at fault, never its value.
 */
export const parseConfig = <C>(schema: z.ZodType<C>, env: Environment): Readonly<C> => {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(present);
  if (parsed.success) return Object.freeze(parsed.data);
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The settings cannot be used. ${faults.join('; ')}`);
};
