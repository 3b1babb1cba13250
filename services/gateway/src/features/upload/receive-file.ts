import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, realpath, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Rejection, UPLOAD_FOLDER } from '@continuo/contracts';
import type { SentFile } from '../../server/sent-file.js';

/** Limits of uploads. */
export interface ReceivingLimits {
  readonly maxBytes: number;
  /** Free space that must remain on the disk of the catalog. */
  readonly keepFreeBytes: number;
}

/** A received file that waits to be added to its catalog. */
export interface ReceivedFile {
  /** Name in the upload folder of the catalog. */
  readonly staged: string;
  readonly sizeBytes: number;
  /** Deletes the file if it still waits. */
  discard(): Promise<void>;
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const CUT = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR']);
const GONE = new Set(['ENOENT', 'ENOTDIR']);

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** The error for the uploader, without paths of the server. */
const faultOf = (error: unknown): unknown => {
  const code = codeOf(error);
  if (error instanceof Rejection) return error;
  if (FULL.has(code)) return new Rejection('storage.full', undefined, undefined, { cause: error });
  if (CUT.has(code)) return new Rejection('input.invalid', 'the file ended early', 'upl', { cause: error });
  if (GONE.has(code)) return new Rejection('catalog.path-unusable', 'the folder of the catalog is not there', undefined, { cause: error });
  return code === '' ? error : new Rejection('media.failed', `the file cannot be written (${code})`, undefined, { cause: error });
};

const tooLarge = (maxBytes: number): Rejection => new Rejection('input.too-large', `files may have up to ${maxBytes} bytes`, 'upl');

/** Counts bytes and fails above the limit. */
class Counter extends Transform {
  counted = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.counted += chunk.length;
    if (this.counted > this.maxBytes) done(tooLarge(this.maxBytes));
    else done(null, chunk);
  }
}

const requireRoom = async (folder: string, neededBytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < neededBytes) throw new Rejection('storage.full');
};

/**
 * Writes an upload durably into the upload folder of a catalog; deletes the partial file on failure.
 * @throws Rejection `input.too-large`, `input.invalid` when the client disconnects, `storage.full`, `media.failed` or `catalog.path-unusable`
 */
export const receiveFile = async (
  root: string,
  file: Pick<SentFile, 'bytes' | 'sizeBytes'>,
  { maxBytes, keepFreeBytes }: ReceivingLimits,
): Promise<ReceivedFile> => {
  // The announced length includes the multipart framing, so slightly larger requests are accepted and counted while they arrive.
  if ((file.sizeBytes ?? 0) > maxBytes + 65_536) throw tooLarge(maxBytes);
  const staged = randomUUID();
  let path: string | undefined;
  try {
    const folder = join(await realpath(root), UPLOAD_FOLDER);
    await mkdir(folder).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    // A symbolic link here would write outside of the catalog.
    if (!(await lstat(folder)).isDirectory()) throw new Rejection('media.failed', 'the folder for uploads is no folder');
    await requireRoom(folder, keepFreeBytes + (file.sizeBytes ?? 0));
    path = join(folder, staged);
    const counter = new Counter(maxBytes);
    await pipeline(file.bytes, counter, createWriteStream(path, { flags: 'wx', mode: 0o644, flush: true }));
    const written = path;
    return { staged, sizeBytes: counter.counted, discard: () => unlink(written).catch(() => undefined) };
  } catch (error) {
    if (path !== undefined) await unlink(path).catch(() => undefined);
    throw faultOf(error);
  }
};
