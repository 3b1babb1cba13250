import { safeFileName } from '@continuo/chassis';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseRange, type ByteRange } from '../../server/byte-range.js';

/** One exchange as the senders of bytes need it. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Something with bytes that can be sent, whole or in part. */
export interface Sendable {
  readonly sizeBytes: number;
  readonly mime: string;
  /** Strong entity tag, with its quotes. */
  readonly etag: string;
  /** Epoch milliseconds; absent for what has no time of its own. */
  readonly mtimeMs?: number;
  /** Name that the client may save it under; `attachment` asks it to. */
  readonly fileName?: string;
  readonly attachment?: boolean;
  readonly cacheControl: string;
  /** Opens the bytes: those that are at hand, or a stream that gives its file back when it ends, fails or is destroyed. */
  open(range?: ByteRange): Promise<Readable | Buffer>;
  /** Gives back what is held for {@link Sendable.open}, which will not be called. */
  close?(): Promise<void>;
}

/** A file of unknown length that is made while it is sent, for the client to save. */
export interface Download {
  readonly fileName: string;
  /** Opens the bytes: a stream that gives everything back when it ends, fails or is destroyed. */
  open(): Promise<Readable>;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

const listed = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** True when the client's copy is still good (RFC 9110 section 13.2.2: the tag decides, the time only where no tag was sent). */
const isUnchanged = (request: FastifyRequest, { etag, mtimeMs }: Sendable): boolean => {
  const tags = header(request, 'if-none-match');
  if (tags !== undefined) return listed(tags, etag);
  const since = Date.parse(header(request, 'if-modified-since') ?? '');
  return mtimeMs !== undefined && !Number.isNaN(since) && seconds(mtimeMs) <= seconds(since);
};

/** A range counts only while the thing is the one that the client knows a part of. */
const rangeStillMeant = (request: FastifyRequest, { etag, mtimeMs }: Sendable): boolean => {
  const condition = header(request, 'if-range');
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === etag;
  return mtimeMs !== undefined && seconds(Date.parse(condition)) === seconds(mtimeMs);
};

/** A `Content-Disposition` that old and new clients can read (RFC 6266). */
export const contentDisposition = (fileName: string, attachment: boolean): string => {
  const whole = safeFileName(fileName, { maxBytes: 255 });
  const plain = whole.replace(/[^\x20-\x7e]|["%]/g, '_');
  const extended = encodeURIComponent(whole).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${attachment ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${extended}`;
};

const describe = (reply: FastifyReply, thing: Sendable): void => {
  reply.header('etag', thing.etag).header('accept-ranges', 'bytes').header('cache-control', thing.cacheControl);
  if (thing.mtimeMs !== undefined) reply.header('last-modified', new Date(thing.mtimeMs).toUTCString());
};

const describeBody = (reply: FastifyReply, thing: Sendable): void => {
  // Whatever the bytes are, no page may run out of them.
  reply.type(thing.mime).header('content-security-policy', "default-src 'none'; sandbox");
  if (thing.fileName !== undefined) reply.header('content-disposition', contentDisposition(thing.fileName, thing.attachment ?? false));
};

/**
 * Sends a thing as HTTP wants it: 200, 206 for one range, 304 for a copy that is still good, 416 for a range outside; the headers alone for
 * HEAD. Fastify pipes with back-pressure and destroys the source when the client goes away.
 */
export const sendBytes = async ({ request, reply }: Exchange, thing: Sendable): Promise<FastifyReply> => {
  describe(reply, thing);
  const isCurrent = isUnchanged(request, thing);
  const range = !isCurrent && rangeStillMeant(request, thing) ? parseRange(header(request, 'range'), thing.sizeBytes) : undefined;
  const headersOnly = request.method === 'HEAD';
  if (isCurrent || headersOnly || range === 'unsatisfiable') await thing.close?.();
  if (isCurrent) return reply.code(304).send();
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${thing.sizeBytes}`).send();
  const body = headersOnly ? undefined : await thing.open(range);
  describeBody(reply, thing);
  reply.header('content-length', range ? range.end - range.start + 1 : thing.sizeBytes);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${thing.sizeBytes}`);
  return headersOnly ? reply.send() : reply.send(body);
};

/** Sends a download; the headers alone for HEAD. A stream that fails on the way breaks the connection, one whose client is gone is destroyed. */
export const sendDownload = async ({ request, reply }: Exchange, mime: string, download: Download): Promise<FastifyReply> => {
  const body = request.method === 'HEAD' ? undefined : await download.open();
  if (reply.raw.destroyed) {
    body?.destroy();
    return reply;
  }
  return reply
    .type(mime)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-disposition', contentDisposition(download.fileName, true))
    .send(body);
};
