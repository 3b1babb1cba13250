import { destination as toFile, pino, type DestinationStream, type Logger } from 'pino';
import type { BaseConfig } from './config.js';

/** Names of fields that never reach the log, at the top of a line or one or two levels down. Subsonic's short `u`, `p`, `t`, `s` are credentials too. */
const SECRET_FIELDS = [
  'password',
  'pass',
  'passphrase',
  'secret',
  'token',
  'accessToken',
  'refreshToken',
  'apiKey',
  'apikey',
  'api_key',
  'auth',
  'authorization',
  'Authorization',
  'cookie',
  'ssid',
  'session',
  'sessionId',
  'u',
  'p',
  't',
  's',
] as const;

const LEVELS_DEEP = 3;
const prefixes = Array.from({ length: LEVELS_DEEP }, (_, depth) => '*.'.repeat(depth));
const redactedPaths = prefixes.flatMap((prefix) => [
  ...SECRET_FIELDS.map((field) => `${prefix}${field}`),
  `${prefix}["set-cookie"]`,
  `${prefix}["x-api-key"]`,
]);

/** What every line of a logger carries. */
export interface LogBindings {
  readonly service: string;
  readonly correlationId?: string;
  readonly actor?: string;
}

/**
 * Makes the root logger of a service: JSON, one line per fact, constant message and variable fields, secrets removed.
 * Bind `correlationId` and `actor` with `child`. Writes to standard output unless a stream is given.
 */
export const createLogger = (service: string, level: BaseConfig['LOG_LEVEL'] = 'info', stream: DestinationStream = toFile(1)): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[removed]' },
    },
    stream,
  );
