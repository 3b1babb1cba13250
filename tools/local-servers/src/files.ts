import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Tells whether an error from Node's file or process calls carries one of the given codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Reads a text file, or answers undefined when there is none. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Sum of the files in a folder and below it, bytes. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

/** Writes a file that only its owner may read (mode 0600), complete or not at all, and on disk before it gets its name. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // A full disk must not collect drafts.
    await rm(draft, { force: true });
    throw error;
  }
}

/** A random secret kept in a mode-0600 file: created on first use, read ever after. 32 hexadecimal digits. */
export async function secretIn(path: string): Promise<string> {
  const known = (await readIfPresent(path))?.trim();
  if (known) {
    await chmod(path, 0o600);
    return known;
  }
  const fresh = randomBytes(16).toString('hex');
  await writePrivate(path, `${fresh}\n`);
  return fresh;
}
