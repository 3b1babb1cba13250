import { Readable } from 'node:stream';
import type { HttpHandlerOptions, HttpRequest, HttpResponse, RequestHandler } from '@smithy/types';
import type { OutboundClient } from '@continuo/chassis';
import { asRequestFailure } from '../request-errors.js';

/** Time for an answer without a body that flows on, ms. */
const ANSWER_MS = 30_000;
/** Time for a body that flows, ms: whoever pauses a song for some hours goes on with a new request. */
const BODY_MS = 6 * 3_600_000;
/** Largest body: that of the largest object that one request may write. */
const MAX_BYTES = 5 * 1024 ** 4;

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const queryText = (query: HttpRequest['query']): string => {
  const parts = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => (one === null ? escaped(name) : `${escaped(name)}=${escaped(one ?? '')}`)),
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

const addressOf = ({ protocol, hostname, port, path, query }: HttpRequest): string =>
  `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${queryText(query)}`;

/** Sends the requests of the S3 client the one way out that there is, so that what an operator may not reach, a bucket's address does not reach either. */
export class OutboundRequests implements RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions> {
  constructor(private readonly outbound: OutboundClient) {}

  async handle(request: HttpRequest, options: HttpHandlerOptions = {}): Promise<{ response: HttpResponse }> {
    const flows = request.method === 'GET' && request.query?.['list-type'] === undefined;
    try {
      const answer = await this.outbound.open({
        url: addressOf(request),
        method: request.method as 'GET' | 'HEAD' | 'PUT',
        ...(request.body === undefined ? {} : { body: request.body as Uint8Array }),
        // Media as they are: what is packed on the way has no ranges.
        headers: { ...request.headers, 'accept-encoding': 'identity', 'user-agent': 'continuo' },
        timeoutMs: flows ? BODY_MS : ANSWER_MS,
        maxBytes: MAX_BYTES,
        maxRedirects: 0,
        ...(options.abortSignal ? { signal: options.abortSignal as AbortSignal } : {}),
      });
      return { response: { statusCode: answer.status, headers: { ...answer.headers }, body: Readable.from(answer.body) } };
    } catch (error) {
      throw asRequestFailure(error);
    }
  }
}
