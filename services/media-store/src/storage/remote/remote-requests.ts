import { Rejection } from '@continuo/contracts';
import type { OutboundClient, OutboundHead, OutboundResponse } from '@continuo/chassis';
import { StorageUnavailable, type ByteRange } from '../file-storage.js';
import { retryAfterMs, TransientError } from '../retries.js';
import { asRequestFailure, isTransientStatus } from '../request-errors.js';
import type { RemotePart } from './remote-api.js';

const ANSWER_MS = 60_000;
const BODY_MS = 6 * 3_600_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** Larger than any medium. */
const MAX_BODY_BYTES = 5 * 1024 ** 4;
/** Bytes read of an error text that came in place of a file. */
const MAX_WORDS_BYTES = 64 * 1024;
const RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** Header with the id of this installation, sent with every request for a catalog, so that no server becomes a catalog of itself. */
export const INSTANCE_HEADER = 'x-continuo-instance';

/** Response in place of a file, as far as it was read. */
export interface InspectedResponse extends Pick<OutboundHead, 'status' | 'headers'> {
  /** Only of words. */
  readonly body: Uint8Array;
}

/** Requests to one other server. */
export class RemoteRequests {
  /** @param url of the server, without `/` at its end */
  constructor(
    private readonly outbound: OutboundClient,
    private readonly url: string,
    private readonly instance: string,
  ) {}

  /** A whole answer. @throws TransientError, StorageUnavailable */
  async whole(
    path: string,
    { maxBytes = MAX_ANSWER_BYTES, signal }: { maxBytes?: number; signal?: AbortSignal } = {},
  ): Promise<OutboundResponse> {
    const answer = await this.outbound
      .fetch({ url: this.url + path, headers: this.#headers, timeoutMs: ANSWER_MS, maxBytes, ...(signal ? { signal } : {}) })
      .catch((error: unknown) => {
        throw asRequestFailure(error);
      });
    refusePassing(answer);
    return answer;
  }

  /**
   * A file, or a part of it.
   * @param refuse looks at an answer that may be words in place of the file, and throws what they say
   * @throws TransientError, StorageUnavailable, Rejection `media.not-found`
   */
  async part(path: string, part: ByteRange | undefined, refuse: (answer: InspectedResponse) => void): Promise<RemotePart> {
    const giveUp = new AbortController();
    const range = part && { range: `bytes=${part.start}-${part.end ?? ''}` };
    try {
      const answer = await this.outbound.open({
        url: this.url + path,
        headers: { ...this.#headers, ...range, 'accept-encoding': 'identity' },
        timeoutMs: BODY_MS,
        maxBytes: MAX_BODY_BYTES,
        signal: giveUp.signal,
      });
      const flow = { bytes: answer.body, abort: () => giveUp.abort() };
      if (answer.status === 200 || answer.status === 206) {
        if (/json|xml|text/.test(answer.headers['content-type'] ?? '')) {
          refuse({ ...answer, body: await wordsOf(answer.body) });
          throw new StorageUnavailable('the server sends words in place of a file');
        }
        return { flow, ...extentOf(answer, part) };
      }
      throw refusal(answer);
    } catch (error) {
      giveUp.abort();
      throw asRequestFailure(error);
    }
  }

  get #headers(): Record<string, string> {
    return { [INSTANCE_HEADER]: this.instance, accept: '*/*' };
  }
}

const refusePassing = ({ status, headers }: OutboundHead): void => {
  if (isTransientStatus(status)) throw new TransientError(`the server answers with status ${status}`, retryAfterMs(headers['retry-after']));
};

const refusal = (answer: OutboundHead): Error => {
  const { status } = answer;
  if (status === 404 || status === 410) return new Rejection('media.not-found');
  if (status === 416) return new Rejection('media.range');
  if (isTransientStatus(status))
    return new TransientError(`the server answers with status ${status}`, retryAfterMs(answer.headers['retry-after']));
  return new StorageUnavailable(`the server answers with status ${status}`);
};

const extentOf = ({ headers }: OutboundHead, part: ByteRange | undefined): Omit<RemotePart, 'flow'> => {
  const [, start, end, size] = RANGE.exec(headers['content-range'] ?? '') ?? [];
  const sizeBytes = Number(size ?? headers['content-length'] ?? 0);
  if (Number(start ?? 0) !== (part?.start ?? 0)) throw new StorageUnavailable('the server gives no parts of files, or other ones');
  if (sizeBytes === 0) throw new StorageUnavailable('the server does not tell how long a file is');
  return { start: part?.start ?? 0, end: Math.min(part?.end ?? sizeBytes - 1, Number(end ?? sizeBytes - 1)), sizeBytes };
};

const wordsOf = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    if ((length += piece.length) > MAX_WORDS_BYTES) break;
  }
  return Buffer.concat(pieces);
};
