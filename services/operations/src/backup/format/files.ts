import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';

/** One file of a backup as the manifest names it. */
export const fileEntrySchema = z.object({
  /** Relative to the backup's folder, with slashes. */
  path: z.string().regex(/^[\w./-]+$/),
  /** On the disk. */
  sizeBytes: z.int().nonnegative(),
  /** Before it was compressed. */
  contentBytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type FileEntry = z.infer<typeof fileEntrySchema>;

/** A backup holds names, addresses and sealed passwords: nobody but its owner reads it. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Counts and hashes what passes through. */
const meter = (): { readonly through: Transform; readonly read: () => { sizeBytes: number; sha256: string } } => {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      sizeBytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, read: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
};

/** Makes sure that what was written survives a power cut. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Writes a file whole under its name, or not at all. */
export const writeWhole = async (to: string, write: (temporary: string) => Promise<void>): Promise<void> => {
  const folder = dirname(to);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    await write(temporary);
    await syncPath(temporary);
    await rename(temporary, to);
  } finally {
    await rm(temporary, { force: true });
  }
};

/** Writes a stream of bytes into a file of the backup, compressed with zstd, and on the disk when this returns. Memory does not grow with the size. */
export const writeCompressed = async (folder: string, path: string, source: Readable | AsyncIterable<Uint8Array>): Promise<FileEntry> => {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
  const [content, stored] = [meter(), meter()];
  await pipeline(
    source,
    content.through,
    createZstdCompress(),
    stored.through,
    createWriteStream(target, { mode: PRIVATE_FILE, flush: true }),
  );
  return { path, ...stored.read(), contentBytes: content.read().sizeBytes };
};

/** The content of a file of the backup. */
export const readCompressed = (folder: string, { path }: FileEntry): Readable => {
  const content = new PassThrough();
  // A damaged file ends the reader with the reason.
  pipeline(createReadStream(join(folder, path)), createZstdDecompress(), content).catch((error: unknown) =>
    content.destroy(error as Error),
  );
  return content;
};

/** Fault of a file of the backup; undefined when it is as it was written. */
export const faultOf = async (folder: string, { path, sizeBytes, sha256 }: FileEntry): Promise<string | undefined> => {
  const hash = createHash('sha256');
  let foundBytes = 0;
  try {
    for await (const chunk of createReadStream(join(folder, path)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      foundBytes += chunk.length;
    }
  } catch (error) {
    return `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (foundBytes !== sizeBytes) return `${path} has ${foundBytes} bytes instead of ${sizeBytes}`;
  return hash.digest('hex') === sha256 ? undefined : `${path} has been changed`;
};

/** The lines of a text file of the backup. */
export async function* linesOf(folder: string, file: FileEntry): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of readCompressed(folder, file).setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
