import { OutboundError } from '../outbound-client.js';

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'EADDRNOTAVAIL',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

// By name: importing the class would load the whole client.
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** The client's own error behind whatever was thrown on the way; one that nobody foresaw stays as it is. */
export const asOutboundError = (error: unknown): Error => {
  if (error instanceof OutboundError) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return asOutboundError(error.errors[0]);
  const code = codeOf(error);
  if (nameOf(error) === 'HTTPParserError' || code.startsWith('HPE_') || code.startsWith('Z_') || code.startsWith('ERR_'))
    return new OutboundError(code.startsWith('ERR_TLS') ? 'unreachable' : 'malformed', 'what came back is damaged, or no HTTP', {
      cause: error,
    });
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutboundError('too-large', 'the head of the answer is too large', { cause: error });
  if (NETWORK_CODES.has(code)) return new OutboundError('unreachable', `no connection, or it broke (${code})`, { cause: error });
  if (error instanceof Error && error.cause instanceof Error) return asOutboundError(error.cause);
  // Certificates: OpenSSL has dozens of codes, and none of them is a reason to try without.
  if (/CERT|SIGNATURE|ISSUER/.test(code))
    return new OutboundError('unreachable', `the certificate cannot be trusted (${code})`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
};
