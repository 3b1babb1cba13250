import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, extname } from 'node:path';
import { Rejection, type WrittenTags } from '@continuo/contracts';
import { soundDigest } from './sound-digest.js';
import type { TagLibWriter } from './taglib-writer.js';

/** Dependencies of tag writing. */
export interface TagWritingDependencies {
  readonly writer: TagLibWriter;
  /** ffmpeg, which decodes a file before and after. */
  readonly ffmpeg: string;
  /** Longest time for decoding one file, ms. */
  readonly timeoutMs: number;
  /** Larger files are refused, bytes: they are held in memory while they are written. */
  readonly maxBytes: number;
}

const failed = (path: string, why: string, cause?: unknown): Rejection =>
  new Rejection('media.failed', `no tags were written: ${why}`, path, cause === undefined ? undefined : { cause });

/** Writes bytes into a new file and waits until they are on the disk. */
const writeThrough = async (path: string, bytes: Uint8Array, like: { mode: number; uid: number; gid: number }): Promise<void> => {
  const handle: FileHandle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, like.mode & 0o777);
  try {
    await handle.writeFile(bytes);
    await handle.chmod(like.mode & 0o7777);
    // Without the right to chown the owner stays; the mode is what players need.
    await handle.chown(like.uid, like.gid).catch(() => undefined);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const digestOrRefuse = async (deps: TagWritingDependencies, path: string, about: string, why: string): Promise<string> => {
  try {
    return await soundDigest(deps.ffmpeg, path, deps.timeoutMs);
  } catch (error) {
    throw failed(about, why, error);
  }
};

/**
 * Writes tags into a file. The changed file is made beside it under a hidden name, and takes its place in one step only when it decodes to just the same sound and
 * the old one has not been touched meanwhile; whatever goes wrong before leaves the old one as it is.
 * @param path absolute and real
 * @throws Rejection `media.failed` with the reason
 */
export const writeTagsInto = async (path: string, tags: WrittenTags, deps: TagWritingDependencies): Promise<void> => {
  const before = await lstat(path);
  if (!before.isFile() || before.nlink > 1) throw failed(path, 'it is a link, or another name leads to the same file');
  if (before.size > deps.maxBytes) throw failed(path, `it has more than ${deps.maxBytes} bytes`);
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw failed(path, 'it may not be written', error);
  });
  const sound = await digestOrRefuse(deps, path, path, 'it cannot be decoded to its end as it is');
  const written = await deps.writer.write(await readFile(path), tags).catch((error: unknown) => {
    throw failed(path, error instanceof Error ? error.message : String(error), error);
  });
  const beside = join(dirname(path), `.${randomUUID()}.tagging${extname(path)}`);
  try {
    await writeThrough(beside, written, before);
    const after = await digestOrRefuse(deps, beside, path, 'the changed file cannot be decoded');
    if (after !== sound) throw failed(path, 'its sound would change');
    const now = await stat(path);
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino)
      throw failed(path, 'somebody else has changed it meanwhile');
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error instanceof Rejection ? error : failed(path, error instanceof Error ? error.message : String(error), error);
  }
};
