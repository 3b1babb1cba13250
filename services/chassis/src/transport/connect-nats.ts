import { readFile } from 'node:fs/promises';
import { connect, credsAuthenticator, errors, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { BaseConfig } from '../config.js';
import { isBefore } from '../is-before.js';
import { doublingPauses, retry } from '../retry.js';
import { withTimeout } from '../with-timeout.js';
import { leaveIsolatedServers } from './isolated-servers.js';

const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 250;
const PING_MS = 10_000;
const CLOSE_MS = 2000;
/** Servers before 2.12 let several writers win one expected sequence in a cluster; its first patches refuse batches without a conflict, or stop under them. */
const NEEDED = '2.12.4';
const RECOMMENDED = '2.15.0';

/** Address and credentials of NATS. */
export type NatsSettings = Pick<BaseConfig, 'NATS_URL'> &
  Partial<
    Pick<BaseConfig, 'NATS_USER' | 'NATS_PASSWORD' | 'NATS_CREDS_FILE' | 'NATS_TLS_CA_FILE' | 'NATS_TLS_CERT_FILE' | 'NATS_TLS_KEY_FILE'>
  >;

/**
 * Connects to NATS and keeps the connection for ever. While no server can be reached it tries again until `patienceMs` has passed.
 * @throws Error when the login is refused, nothing answers in time, or the server is older than 2.12.4.
 */
export const connectNats = async (name: string, settings: NatsSettings, log: Logger, patienceMs = 60_000): Promise<NatsConnection> => {
  const nats = await connectPatiently({ ...optionsOf(name, settings), ...(await proofsOf(settings)) }, log, patienceMs);
  try {
    checkServerVersion(nats.info?.version ?? '0', log);
  } catch (error) {
    await nats.close();
    throw error;
  }
  void logStatus(nats, log);
  leaveIsolatedServers(nats, log);
  return nats;
};

/** Sends what is still on its way and closes; a server that is gone does not hold this up. */
export const closeNats = async (nats: NatsConnection): Promise<void> => {
  if (nats.isClosed()) return;
  await withTimeout(CLOSE_MS, nats.drain()).catch(() => nats.close());
};

/**
 * Refuses a server that lacks what the event log relies on, warns about one that is merely slow.
 * @throws Error with the remedy.
 */
export const checkServerVersion = (version: string, log: Logger): void => {
  if (isBefore(version, NEEDED)) {
    throw new Error(
      `nats-server ${version} is too old: Continuo needs 2.12.4 or newer (2.15 or newer recommended), because older servers lose the check for concurrent writers in clusters, or refuse several events at once. Please upgrade nats-server.`,
    );
  }
  if (isBefore(version, RECOMMENDED))
    log.warn({ version, recommended: RECOMMENDED }, 'nats-server works but is slower at durable writes than the recommended version');
};

const optionsOf = (name: string, { NATS_URL, NATS_USER, NATS_PASSWORD }: NatsSettings): ConnectionOptions => {
  const urls = NATS_URL.split(',').map((part) => new URL(part.includes('://') ? part.trim() : `nats://${part.trim()}`));
  // The client does not read a login from a URL.
  const user = NATS_USER ?? (decodeURIComponent(urls[0]?.username ?? '') || undefined);
  const pass = NATS_PASSWORD ?? (decodeURIComponent(urls[0]?.password ?? '') || undefined);
  return {
    name: `continuo-${name}`,
    servers: urls.map((url) => `${url.protocol}//${url.host}`),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    // A wrong password after a rotation must not end the connection for good.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    // A server that is gone without a word is missed within half a minute.
    pingInterval: PING_MS,
    maxPingOut: 2,
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
  };
};

/** Reads credentials and trusted certificates from files. @throws Error that names the file that cannot be read */
const proofsOf = async (settings: NatsSettings): Promise<ConnectionOptions> => {
  const { NATS_CREDS_FILE, NATS_TLS_CA_FILE: caFile, NATS_TLS_CERT_FILE: certFile, NATS_TLS_KEY_FILE: keyFile } = settings;
  const tls = { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) };
  const isEncrypted = Object.keys(tls).length > 0 || settings.NATS_URL.includes('tls://');
  return {
    ...(NATS_CREDS_FILE && { authenticator: credsAuthenticator(await readFile(NATS_CREDS_FILE)) }),
    ...(isEncrypted && { tls }),
  };
};

/** True when the server has refused the credentials. A busy server that did not answer in time has refused nobody. */
const isRefusal = (error: unknown): boolean =>
  error instanceof errors.UserAuthenticationExpiredError || (error instanceof errors.AuthorizationError && !/timeout/i.test(error.message));

const connectPatiently = (options: ConnectionOptions, log: Logger, patienceMs: number): Promise<NatsConnection> =>
  retry(() => connect(options), {
    pauseMs: doublingPauses(100, 2000),
    withinMs: patienceMs,
    isTransient: (error) => !isRefusal(error),
    onRetry: (_, waitMs) => log.warn({ servers: options.servers, waitMs }, 'NATS does not answer yet, trying again'),
  }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`NATS cannot be used at ${String(options.servers)}: ${reason}`, { cause });
  });

const logStatus = async (nats: NatsConnection, log: Logger): Promise<void> => {
  for await (const status of nats.status()) {
    if (status.type === 'disconnect') log.warn({ server: status.server }, 'NATS connection lost');
    else if (status.type === 'reconnect') log.info({ server: status.server }, 'NATS connection is back');
    else if (status.type === 'error') log.warn({ err: status.error }, 'NATS reported an error');
    else if (status.type === 'slowConsumer')
      log.warn({ subject: status.sub.getSubject(), pending: status.pending }, 'a subscription falls behind');
  }
};
