import { Agent } from 'undici';
import type { AddressRange } from '../public-address.js';
import { checkedConnector } from './checked-connector.js';
import type { Resolve } from './resolve.js';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 5000;
const MAX_HEADER_SECTION_BYTES = 16 * 1024;

/** Options of the pool of connections that requests go out by. */
export interface CheckedAgentOptions {
  /** Ranges that may be reached although they are not public. */
  readonly allowed: readonly AddressRange[];
  readonly resolve: Resolve;
  readonly connectionsPerHost: number;
}

/** Pool of connections to checked addresses. */
export const checkedAgent = ({ allowed, resolve, connectionsPerHost }: CheckedAgentOptions): Agent =>
  new Agent({
    connect: checkedConnector(allowed, resolve, CONNECT_TIMEOUT_MS),
    connections: connectionsPerHost,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_SECTION_BYTES,
    // The client watches the whole time; these would only cut long requests short.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
