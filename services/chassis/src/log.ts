import { destination as toFile, pino, type DestinationStream, type Logger } from 'pino';
import type { BaseConfig } from './config.js';
import { currentWork } from './telemetry/current-work.js';

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

/** Parameters of addresses that are credentials, also where an address stands in the middle of a text: those of the three APIs, of mail links, shares and S3 storage. */
const SECRET_PARAMETERS = [
  'auth', 'ssid', 'u', 'p', 't', 's', 'apikey', 'api_key', 'api_sig', 'sk', 'password', 'passphrase', 'pass', 'token', 'access_token', 'refresh_token',
  'id_token', 'code', 'state', 'secret', 'sig', 'signature', 'key', 'session', 'jwt', 'x-amz-signature', 'x-amz-credential', 'x-amz-security-token',
]; // prettier-ignore
const IN_QUERY = new RegExp(`([?&;](?:${SECRET_PARAMETERS.join('|')})(?:\\[\\])?=)[^&;\\s"'<>\\\\#]+`, 'gi');
const IN_PATH = /(\/(?:ssid|auth|apikey|hls)\/)[^/?\s"'<>\\#]+/gi;
const IN_AUTHORITY = /(:\/\/)[^/?#\s"'@\\]+@/g;

/** A line without the credentials of the addresses in it. */
export const withoutSecrets = (line: string): string =>
  line.replace(IN_QUERY, '$1[removed]').replace(IN_PATH, '$1[removed]').replace(IN_AUTHORITY, '$1[removed]@');

const LEVELS_DEEP = 3;
const prefixes = Array.from({ length: LEVELS_DEEP }, (_, depth) => '*.'.repeat(depth));
const redactedPaths = prefixes.flatMap((prefix) => [
  ...SECRET_FIELDS.map((field) => `${prefix}${field}`),
  `${prefix}["set-cookie"]`,
  `${prefix}["x-api-key"]`,
]);

/** Bindings and fields say more about a line than the work in which it was written. */
const ofTheWork = (fields: object, _level: number, log: Logger): object => {
  const work = currentWork();
  if (!work) return {};
  const bound = { ...log.bindings(), ...fields };
  const traceId = work.tracer && work.traceparent?.slice(3, 35);
  return {
    ...('correlationId' in bound ? {} : { correlationId: work.correlationId }),
    ...('actor' in bound || work.actor === undefined ? {} : { actor: work.actor }),
    ...(traceId ? { traceId } : {}),
  };
};

/**
 * Makes the root logger of a service: JSON, one line per fact, constant message and variable fields, secrets removed,
 * by the names of fields and in addresses wherever they stand. `correlationId` and `actor` are those of the work at hand, or bound with `child`. Writes to standard output unless a stream is given.
 */
export const createLogger = (service: string, level: BaseConfig['LOG_LEVEL'] = 'info', stream: DestinationStream = toFile(1)): Logger =>
  pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      mixin: ofTheWork,
      hooks: { streamWrite: withoutSecrets },
      redact: { paths: redactedPaths, censor: '[removed]' },
    },
    stream,
  );
