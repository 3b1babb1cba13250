import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseConfig, type Environment } from '@continuo/chassis';
import { z } from 'zod';

const settings = z.object({
  /** Folder for everything that the server keeps. */
  CONTINUO_DATA: z.string().default('./data'),
  /** Key material for sealed secrets; made at the first start and kept in the data folder when absent. */
  CONTINUO_SECRET: z.string().min(32).optional(),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  /** Address of `/metrics` and of the details of `/health/ready`, which need no login. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Port of the same; 0 picks a free one. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** An existing Postgres in place of the embedded one. */
  DATABASE_URL: z.string().optional(),
  /** An existing NATS with JetStream in place of the embedded one. */
  NATS_URL: z.string().optional(),
  /** Room that the event log leaves free on its disk, bytes. Defaults to a twentieth of the disk, at most 512 MiB. */
  EVENT_LOG_KEEP_FREE_BYTES: z.coerce.number().int().min(0).optional(),
  LOG_LEVEL: z.string().default('warn'),
});

/** Options of a standalone. */
export interface StandaloneOptions {
  /** Absolute path. */
  readonly dataFolder: string;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Address of metrics and health details, 127.0.0.1 by default. */
  readonly metricsHost?: string | undefined;
  /** 0 picks a free one. By default 9090 while nobody else has it, and a free one where the APIs have a free one. */
  readonly metricsPort?: number | undefined;
  readonly secret?: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly natsUrl?: string | undefined;
  readonly logKeepFreeBytes?: number | undefined;
  /** Handed on to the services: administrator presets, log level, limits. */
  readonly environment: Environment;
}

/** The options that the environment gives. @throws Error that names each variable that cannot be used. */
export const optionsFrom = (env: Environment): StandaloneOptions => {
  const parsed = parseConfig(settings, env);
  return {
    dataFolder: resolve(parsed.CONTINUO_DATA),
    host: parsed.HOST,
    port: parsed.PORT,
    metricsHost: parsed.METRICS_HOST,
    metricsPort: parsed.METRICS_PORT,
    secret: parsed.CONTINUO_SECRET,
    databaseUrl: parsed.DATABASE_URL,
    natsUrl: parsed.NATS_URL,
    logKeepFreeBytes: parsed.EVENT_LOG_KEEP_FREE_BYTES,
    environment: { ...env, LOG_LEVEL: parsed.LOG_LEVEL },
  };
};

/** Parsed command line. */
export interface Arguments {
  /** Folders to add as catalogs and to scan. */
  readonly music: readonly string[];
  readonly help: boolean;
}

/** Reads the command line. @throws TypeError for an unknown option. */
export const parseArguments = (args: readonly string[]): Arguments => {
  const { values } = parseArgs({
    args: [...args],
    options: { music: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
  });
  return { music: (values.music ?? []).map((folder) => resolve(folder)), help: values.help === true };
};

/** The environment of this process; `main.ts` hands it on. */
export const environment: Environment = process.env;
