import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that is sent to everybody. */
interface KeptFile {
  readonly bytes: Buffer;
  readonly zipped: Buffer;
  readonly etag: string;
}

const compress = promisify(gzip);
const ETAG_CHARS = 27;

const keep = async (bytes: Buffer): Promise<KeptFile> => ({
  bytes,
  zipped: await compress(bytes),
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_CHARS)}"`,
});

/** Where the bytes of a file come from. */
export interface FileSource {
  readonly type: string;
  readonly load: () => Promise<Buffer>;
}

/** A file of an installed package. */
export const packageFile = (specifier: string, type: string): FileSource => ({
  type,
  load: () => readFile(new URL(import.meta.resolve(specifier))),
});

/** Files of a fixed set: each is read and compressed when it is first asked for, and kept from then on. */
export class KeptFiles {
  readonly #kept = new Map<string, Promise<KeptFile>>();

  constructor(private readonly sources: Readonly<Record<string, FileSource>>) {}

  /** Sends a file with its `ETag`; false when the set does not have it. */
  async send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const source = Object.hasOwn(this.sources, name) ? this.sources[name] : undefined;
    if (!source) return false;
    const { bytes, zipped, etag } = await this.#find(name, source);
    reply.header('etag', etag).header('cache-control', 'public, no-cache').header('vary', 'accept-encoding');
    if (request.headers['if-none-match']?.includes(etag) === true) {
      await reply.code(304).send();
      return true;
    }
    const isZipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (isZipped) reply.header('content-encoding', 'gzip');
    const body = isZipped ? zipped : bytes;
    reply.type(source.type).header('content-length', body.byteLength);
    await reply.send(request.method === 'HEAD' ? undefined : body);
    return true;
  }

  #find(name: string, source: FileSource): Promise<KeptFile> {
    const known = this.#kept.get(name);
    if (known) return known;
    const file = source.load().then(keep);
    this.#kept.set(name, file);
    // A file that could not be read is looked for again.
    file.catch(() => this.#kept.delete(name));
    return file;
  }
}
