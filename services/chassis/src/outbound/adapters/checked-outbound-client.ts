import { SpanKind, type Span } from '@opentelemetry/api';
import type { Agent, Dispatcher } from 'undici';
import type { Metrics } from '../../metrics.js';
import { currentWork } from '../../telemetry/current-work.js';
import { inSpan } from '../../telemetry/tracing.js';
import { unlessAborted } from '../../unless-aborted.js';
import { badPorts } from '../bad-ports.js';
import {
  OutboundError,
  type OutboundClient,
  type OutboundFlow,
  type OutboundHead,
  type OutboundRequest,
  type OutboundResponse,
} from '../outbound-client.js';
import type { AddressRange } from '../public-address.js';
import { systemResolve, type Resolve } from './resolve.js';
import { asOutboundError } from './outbound-faults.js';
import { ACCEPTED_ENCODINGS, unpacked } from './unpack.js';

/** Counter of requests. */
export interface OutboundCount {
  readonly metrics: Pick<Metrics, 'outboundRequests' | 'outboundSeconds'>;
  /** One of a few words: it becomes a label. */
  readonly purpose: string;
}

/** Options of the checked outbound client. */
export interface CheckedClientOptions {
  /** Ranges that may be reached although they are not public. */
  readonly allowed?: readonly AddressRange[];
  /** Connections to one host at the same time; default 8. */
  readonly connectionsPerHost?: number;
  /** Purpose and counter of its requests; absent: not counted. */
  readonly counted?: OutboundCount;
  /** Replaces the system's resolver, for specs. */
  readonly resolve?: Resolve;
}

const defaults = { timeoutMs: 15_000, maxBytes: 1024 * 1024, maxRedirects: 5 } as const;
const CONNECTIONS_PER_HOST = 8;
const MAX_URL = 8192;
const USER_AGENT = 'continuo';
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that are for one host alone. */
const PRIVATE_HEADERS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Opens the client that everything goes out by. */
export const checkedOutboundClient = (options: CheckedClientOptions = {}): OutboundClient => new CheckedOutboundClient(options);

interface Hop {
  readonly url: URL;
  readonly method: NonNullable<OutboundRequest['method']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OutboundRequest['body'];
}

class CheckedOutboundClient implements OutboundClient {
  readonly #openAgent: () => Promise<Agent>;
  /** Loaded with the first request: most servers never send one. */
  #agent: Promise<Agent> | undefined;
  #isClosed = false;
  readonly #counted: OutboundCount | undefined;

  constructor({ allowed = [], connectionsPerHost = CONNECTIONS_PER_HOST, resolve = systemResolve, counted }: CheckedClientOptions) {
    this.#counted = counted;
    this.#openAgent = async () => {
      const { checkedAgent } = await import('./checked-agent.js');
      return checkedAgent({ allowed, resolve, connectionsPerHost });
    };
  }

  async fetch(request: OutboundRequest): Promise<OutboundResponse> {
    const { body, ...head } = await this.open(request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { ...head, body: Buffer.concat(chunks) };
  }

  async open(request: OutboundRequest): Promise<OutboundFlow> {
    const work = currentWork();
    if (!work?.tracer) return this.#measured(request);
    const method = request.method ?? 'GET';
    const host = URL.parse(request.url)?.host ?? '';
    const attributes = { 'http.request.method': method, 'server.address': host, 'continuo.purpose': this.#counted?.purpose ?? '' };
    // The other side is told nothing of it.
    return inSpan(work.tracer, { name: `${method} ${host}`, kind: SpanKind.CLIENT, traceparent: work.traceparent, attributes }, (_, span) =>
      this.#measured(request, span),
    );
  }

  async #measured(request: OutboundRequest, span?: Span): Promise<OutboundFlow> {
    const { metrics, purpose = '' } = this.#counted ?? {};
    const startedMs = performance.now();
    const count = (outcome: string): void => {
      metrics?.outboundRequests.inc({ purpose, outcome });
      metrics?.outboundSeconds.observe({ purpose }, (performance.now() - startedMs) / 1000);
    };
    try {
      const answer = await this.#open(request);
      span?.setAttribute('http.response.status_code', answer.status);
      count(`${Math.trunc(answer.status / 100)}xx`);
      return answer;
    } catch (error) {
      count(error instanceof OutboundError ? error.fault : 'given-up');
      throw error;
    }
  }

  async #open(request: OutboundRequest): Promise<OutboundFlow> {
    const { timeoutMs = defaults.timeoutMs, maxBytes = defaults.maxBytes } = request;
    const late = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
    const explain = (error: unknown): Error => {
      if (request.signal?.aborted) return asError(request.signal.reason);
      return late.aborted
        ? new OutboundError('timeout', `no whole answer within ${timeoutMs} ms`, { cause: error })
        : asOutboundError(error);
    };
    try {
      const { answer, url } = await this.#follow(request, signal);
      const head: OutboundHead = { status: answer.statusCode, headers: flatHeaders(answer.headers), url: url.href };
      const encoding = request.method === 'HEAD' ? undefined : head.headers['content-encoding'];
      try {
        return { ...head, body: hangingUp(explained(unpacked(answer.body, encoding, maxBytes), explain), answer.body) };
      } catch (error) {
        answer.body.destroy();
        throw error;
      }
    } catch (error) {
      throw explain(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#agent)?.destroy();
  }

  /** Sends the request, and again to where it is sent on; each address is checked as if it were the first. */
  async #follow(request: OutboundRequest, signal: AbortSignal): Promise<{ answer: Dispatcher.ResponseData; url: URL }> {
    const { maxRedirects = defaults.maxRedirects } = request;
    let hop: Hop = { url: checkedUrl(request.url), method: request.method ?? 'GET', headers: request.headers ?? {}, body: request.body };
    for (let redirects = 0; ; redirects += 1) {
      const answer = await this.#send(hop, signal);
      // A body that is given up tells so; whoever reads it hears that from the reading.
      answer.body.on('error', () => undefined);
      const to = REDIRECTS.has(answer.statusCode) && maxRedirects > 0 ? firstOf(answer.headers['location']) : undefined;
      if (to === undefined) return { answer, url: hop.url };
      answer.body.destroy();
      if (redirects === maxRedirects) throw new OutboundError('too-many-redirects', `more than ${maxRedirects} redirects`);
      hop = nextHop(hop, to, answer.statusCode);
    }
  }

  async #send({ url, method, headers, body }: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    if (this.#isClosed) throw new OutboundError('unreachable', 'this client has been closed');
    this.#agent ??= this.#openAgent();
    const agent = await this.#agent;
    const answer = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': ACCEPTED_ENCODINGS, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
      signal,
    });
    // While a connection is being opened nothing listens to the signal yet.
    return unlessAborted(answer, signal);
  }
}

/** @throws OutboundError `address-form` */
const checkedUrl = (text: string, base?: URL): URL => {
  const url = text.length > MAX_URL ? null : URL.parse(text, base?.href);
  if (!url) throw new OutboundError('address-form', 'this is no address of the web');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('address-form', 'only addresses with http or https are taken');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('address-form', 'addresses with a name or password in them are not taken');
  if (badPorts.has(Number(url.port))) throw new OutboundError('address-form', `port ${url.port} is not for the web`);
  return url;
};

const nextHop = ({ url, method, headers, body }: Hop, to: string, status: number): Hop => {
  const next = checkedUrl(to, url);
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new OutboundError('address-refused', 'a redirect leads from an encrypted address to one that is not');
  const asGet = status === 303 || (method === 'POST' && status < 303);
  const kept = Object.entries(headers).filter(
    ([name]) => (next.origin === url.origin || !PRIVATE_HEADERS.has(name)) && !(asGet && name.startsWith('content-')),
  );
  return {
    url: next,
    method: asGet && method === 'POST' ? 'GET' : method,
    headers: Object.fromEntries(kept),
    body: asGet ? undefined : body,
  };
};

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const flatHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, firstOf(value) ?? '']])));

async function* explained(
  body: AsyncGenerator<Uint8Array, void, undefined>,
  explain: (error: unknown) => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (error) {
    throw explain(error);
  }
}

/** Ends the connection with the reading. A generator that nobody began to read is told to return without having run: it would leave everything open. */
const hangingUp = (flow: OutboundFlow['body'], body: { destroy(): unknown }): OutboundFlow['body'] => {
  const end = flow.return.bind(flow);
  flow.return = (value) => {
    body.destroy();
    return end(value);
  };
  return flow;
};

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** Says whether an address has the form of one that requests may go to. @throws OutboundError `address-form` */
export const requireWebAddress = (text: string): URL => checkedUrl(text);
