import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import { given, Rejection, type CatalogCredentials, type StorageAddress } from '@continuo/contracts';
import type { OutboundClient } from '@continuo/chassis';
import type { MediaStat } from '../../media-store.js';
import { StorageUnavailable, type FileStorage, type StorageFile, type StorageBody, type ByteRange } from '../file-storage.js';
import { retryAfterMs, TransientError, withRetries, type RetryOptions } from '../retries.js';
import { asUnavailable, asUnusable, isTransientStatus } from '../request-errors.js';
import { resumingBody, type Flow } from '../resuming-body.js';
import { OutboundRequests } from './s3-requests.js';

/** Address, credentials and client of S3 storage. */
export interface S3StorageOptions {
  readonly address: Extract<StorageAddress, { type: 's3' }>;
  readonly region: string;
  readonly credentials: CatalogCredentials;
  readonly outbound: OutboundClient;
  /** Pauses between tries, for specs. */
  readonly patience?: RetryOptions;
  /** Time without a byte after which a body counts as interrupted, for specs; ms. */
  readonly stallMs?: number;
}

/** Most files of one folder. */
const MAX_FILES = 20_000;
const SECOND_MS = 1000;
const RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** Storage tells times in seconds; the thousandths stand for the content, so that one that is written anew within a second is seen, and one that is copied known again. */
const stateOf = (sizeBytes: number | undefined, modified: Date | undefined, etag: string | undefined): MediaStat => {
  const seconds = Math.max(0, Math.floor((modified?.getTime() ?? 0) / SECOND_MS));
  const digits =
    createHash('sha1')
      .update(etag ?? '')
      .digest()
      .readUInt32BE(0) % SECOND_MS;
  return { sizeBytes: sizeBytes ?? 0, mtimeMs: seconds * SECOND_MS + digits };
};

const notFound = (cause: unknown): Rejection => new Rejection('media.not-found', undefined, undefined, { cause });

/** Maps an S3 error to a transient failure, unavailable storage or a missing file. */
const explained = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(String(error));
  // The client writes upon every error that passes through it.
  if (error instanceof StorageUnavailable || error instanceof TransientError || error instanceof Rejection) return error;
  if (!(error instanceof S3ServiceException))
    return '$metadata' in error ? new TransientError('what the storage answers cannot be read', 0, { cause: error }) : error;
  const status = error.$metadata.httpStatusCode ?? 0;
  // An answer without a body names no error.
  const name = ['UnknownError', 'Unknown', ''].includes(error.name) ? `status ${status}` : error.name;
  if (error.name === 'NoSuchBucket') return new StorageUnavailable('there is no such bucket', { cause: error });
  if (status === 404) return notFound(error);
  if (status === 416) return new Rejection('media.range', undefined, undefined, { cause: error });
  if (status === 412) return new Rejection('media.not-found', 'the file is another one now', undefined, { cause: error });
  if (isTransientStatus(status) || error.name === 'SlowDown')
    return new TransientError(`the storage is busy (${name})`, retryAfterMs(error.$response?.headers['retry-after']), { cause: error });
  if (status === 401 || status === 403)
    return new StorageUnavailable(`the storage refuses (${name}); are keys and permissions right?`, { cause: error });
  if (error.name === 'AuthorizationHeaderMalformed' || error.name === 'PermanentRedirect')
    return new StorageUnavailable(`the storage is in another region (${name})`, { cause: error });
  return new StorageUnavailable(`the storage answers ${name}`, { cause: error });
};

/** A page of the web is well-formed now and then, too, and lists nothing. @throws StorageUnavailable */
const requireList = (page: ListObjectsV2CommandOutput): ListObjectsV2CommandOutput => {
  if (page.Name === undefined && page.KeyCount === undefined && page.IsTruncated === undefined)
    throw new StorageUnavailable('what answers there is no S3 storage');
  return page;
};

interface WantedPage {
  readonly prefix: string;
  readonly token?: string | undefined;
  readonly most?: number;
  readonly delimiter?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Objects of S3-compatible storage below a prefix. */
export class S3Storage implements FileStorage {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(private readonly options: S3StorageOptions) {
    const { address, region, credentials, outbound } = options;
    this.#bucket = address.bucket;
    this.#prefix = address.prefix;
    this.#client = new S3Client({
      region,
      ...(address.endpoint === undefined ? {} : { endpoint: address.endpoint, forcePathStyle: true }),
      credentials: { accessKeyId: credentials.name, secretAccessKey: credentials.secret },
      requestHandler: new OutboundRequests(outbound),
      // Tries are counted here, for every kind of storage in the same way.
      maxAttempts: 1,
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestChecksumCalculation: 'WHEN_REQUIRED',
      // The outbound client does not wait for leave to send a body.
      expectContinueHeader: false,
    });
  }

  async check(): Promise<void> {
    await this.#page({ prefix: this.#prefix, most: 1 }).catch((error: unknown) => {
      throw asUnusable(error);
    });
  }

  async stat(path: string): Promise<MediaStat> {
    const input = { Bucket: this.#bucket, Key: this.#keyOf(path) };
    const found = await this.#single(() => this.#client.send(new HeadObjectCommand(input)));
    return stateOf(found.ContentLength, found.LastModified, found.ETag);
  }

  async read(path: string, part?: ByteRange): Promise<StorageBody> {
    const first = await this.#single(() => this.#get(path, part));
    const { start, end, sizeBytes, flow, etag } = first;
    const again = async (from: number): Promise<Flow> => (await this.#single(() => this.#get(path, { start: from, end }, etag))).flow;
    const { stallMs } = this.options;
    const body = resumingBody({ start, end, first: flow, again, ...(stallMs === undefined ? {} : { stallMs }) });
    return { body, start, end, sizeBytes };
  }

  /** Writes an object whole, or not at all. @throws Rejection `unavailable` */
  async put(path: string, bytes: Uint8Array): Promise<void> {
    const input = { Bucket: this.#bucket, Key: this.#keyOf(path), Body: bytes, ContentLength: bytes.length };
    await this.#single(() => this.#client.send(new PutObjectCommand(input)));
  }

  async isThere(path: string): Promise<boolean> {
    try {
      await this.stat(path);
      return true;
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'media.not-found') return true;
    }
    // Folders are only what paths have in common; and that a bucket is gone is not told to whoever asks for an object.
    return this.#page({ prefix: `${this.#keyOf(path)}/`, most: 1 }).then(
      ({ KeyCount }) => (KeyCount ?? 0) > 0,
      () => true,
    );
  }

  async *list(below: string, signal?: AbortSignal): AsyncGenerator<StorageFile> {
    try {
      for await (const page of this.#pages({ prefix: this.#prefixOf(below), signal })) yield* page;
    } catch (error) {
      throw asUnusable(error);
    }
  }

  async filesIn(folder: string): Promise<StorageFile[]> {
    const files: StorageFile[] = [];
    try {
      for await (const page of this.#pages({ prefix: this.#prefixOf(folder), delimiter: '/' })) {
        files.push(...page);
        if (files.length >= MAX_FILES) break;
      }
    } catch (error) {
      throw asUnavailable(error);
    }
    return files.slice(0, MAX_FILES);
  }

  async *#pages(wanted: WantedPage): AsyncGenerator<StorageFile[]> {
    for (let token: string | undefined; ;) {
      const page = await this.#page({ ...wanted, token });
      yield (page.Contents ?? []).flatMap(({ Key, Size, LastModified, ETag }) =>
        // Some programs put an empty object where a folder begins.
        Key === undefined || Key.endsWith('/') ? [] : [{ path: Key.slice(this.#prefix.length), ...stateOf(Size, LastModified, ETag) }],
      );
      token = page.NextContinuationToken;
      if (!page.IsTruncated || token === undefined) return;
    }
  }

  #prefixOf(folder: string): string {
    return folder === '' ? this.#prefix : `${this.#keyOf(folder)}/`;
  }

  #keyOf(path: string): string {
    if (path === '' || path.includes('\0') || path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
      throw new Rejection('media.not-found');
    return `${this.#prefix}${path}`;
  }

  /** Asks for one object. @throws Rejection as readers expect it */
  #single<T>(ask: () => Promise<T>): Promise<T> {
    return this.#patiently(ask).catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  #patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const attempt = (): Promise<T> =>
      ask().catch((error: unknown) => {
        throw explained(error);
      });
    return withRetries(attempt, { ...this.options.patience, signal });
  }

  #page(wanted: WantedPage): Promise<ListObjectsV2CommandOutput> {
    const { prefix, token, most, delimiter, signal } = wanted;
    const input = {
      Bucket: this.#bucket,
      Prefix: prefix,
      ...given({ ContinuationToken: token, MaxKeys: most, Delimiter: delimiter }),
    };
    const ask = () => this.#client.send(new ListObjectsV2Command(input), signal ? { abortSignal: signal } : {});
    return this.#patiently(async () => {
      try {
        return requireList(await ask());
      } catch (error) {
        // Of a list nothing but the bucket itself can be missing.
        const isMissing = error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
        throw isMissing ? new StorageUnavailable('there is no such bucket', { cause: error }) : error;
      }
    }, signal);
  }

  async #get(
    path: string,
    part: ByteRange | undefined,
    etag?: string,
  ): Promise<{ start: number; end: number; sizeBytes: number; flow: Flow; etag: string | undefined }> {
    const giveUp = new AbortController();
    const input = {
      Bucket: this.#bucket,
      Key: this.#keyOf(path),
      ...(part === undefined ? {} : { Range: `bytes=${part.start}-${part.end ?? ''}` }),
      ...(etag === undefined ? {} : { IfMatch: etag }),
    };
    const found = await this.#client.send(new GetObjectCommand(input), { abortSignal: giveUp.signal });
    const flow = { bytes: (found.Body as Readable)[Symbol.asyncIterator](), abort: () => giveUp.abort() };
    const [, start, end, size] = RANGE.exec(found.ContentRange ?? '') ?? [];
    if (Number(start ?? 0) !== (part?.start ?? 0)) {
      giveUp.abort();
      throw new StorageUnavailable('the storage gives other parts of files than it is asked for');
    }
    const sizeBytes = Number(size ?? found.ContentLength ?? 0);
    // Some give more than was asked for; what is too much is left.
    const last = Math.min(part?.end ?? sizeBytes - 1, Number(end ?? sizeBytes - 1));
    return { start: part?.start ?? 0, end: last, sizeBytes, flow, etag: found.ETag };
  }
}
