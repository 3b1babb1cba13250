import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Settings } from '../config.js';
import { connectionFileOf, connectionSchema, type StandaloneConnection } from '../connection.js';
import { OperatorError } from './operator-error.js';

/** Credentials and certificates for NATS. */
export type NatsFiles = Pick<Settings, 'NATS_CREDS_FILE' | 'NATS_TLS_CA_FILE' | 'NATS_TLS_CERT_FILE' | 'NATS_TLS_KEY_FILE'>;

/** Access data of a server. */
export interface Access {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly natsUser?: string | undefined;
  readonly natsPassword?: string | undefined;
  /** Files that prove who asks, as the services' settings name them. */
  readonly natsFiles?: NatsFiles | undefined;
  /** File that holds the secret of a standalone, when its settings do not. */
  readonly secretFile?: string | undefined;
  /** Secret of a running standalone that opens its management API. */
  readonly operatorSecret?: string | undefined;
  /** Absolute path; absent when only the two URLs are known. */
  readonly dataFolder?: string | undefined;
  /** `ART_STORAGE` of a running standalone; elsewhere that of the settings counts. */
  readonly artStorage?: string | undefined;
  /** Base URL for clients, where it is known. */
  readonly url?: string | undefined;
  /** Base URL of health details and metrics, where it is known. */
  readonly metricsUrl?: string | undefined;
}

const START = 'start it with "npm start", or name another data folder with --data or CONTINUO_DATA';

/**
 * Finds the server: `DATABASE_URL` and `NATS_URL` when both are set, else the running standalone over the data folder.
 * @throws OperatorError when there is none, or only one of the two URLs is set.
 */
export const locateServer = async (settings: Settings): Promise<Access> => {
  const { DATABASE_URL: databaseUrl, NATS_URL: natsUrl, NATS_USER: natsUser, NATS_PASSWORD: natsPassword } = settings;
  if (databaseUrl !== undefined && natsUrl !== undefined)
    return { databaseUrl, natsUrl, natsUser, natsPassword, natsFiles: filesOf(settings) };
  const only = databaseUrl === undefined ? (natsUrl === undefined ? undefined : 'NATS_URL') : 'DATABASE_URL';
  if (only !== undefined)
    throw new OperatorError(`only ${only} is set`, 'set both DATABASE_URL and NATS_URL, or none of them to use a standalone');
  return readConnection(resolve(settings.CONTINUO_DATA));
};

const filesOf = ({ NATS_CREDS_FILE, NATS_TLS_CA_FILE, NATS_TLS_CERT_FILE, NATS_TLS_KEY_FILE }: Settings): NatsFiles => ({
  NATS_CREDS_FILE,
  NATS_TLS_CA_FILE,
  NATS_TLS_CERT_FILE,
  NATS_TLS_KEY_FILE,
});

const readConnection = async (dataFolder: string): Promise<StandaloneConnection> => {
  const file = connectionFileOf(dataFolder);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadable(file, dataFolder, cause);
  });
  const parsed = connectionSchema.safeParse(parseJson(text, file));
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole').join(', ');
    throw new OperatorError(`${file} was written by another release (${fields})`, 'restart the server');
  }
  if (!isAlive(parsed.data.pid))
    throw new OperatorError(`the server over ${dataFolder} is not running (it ended without cleaning up)`, START);
  return parsed.data;
};

const unreadable = (file: string, dataFolder: string, cause: unknown): OperatorError => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new OperatorError(`no server is running over ${dataFolder}`, START, { cause });
  if (code === 'EACCES')
    return new OperatorError(`${file} belongs to another user`, 'run this command as the user that runs the server', { cause });
  return new OperatorError(`${file} cannot be read: ${String(code ?? cause)}`, START, { cause });
};

const parseJson = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OperatorError(`${file} is damaged`, 'restart the server', { cause });
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
