import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Tags stand at the beginning and at the end of a file. */
const EDGE_BYTES = 256 * 1024;

/** Reads the edges of every file below a folder, so that the first server to scan it does not wait for the disk alone. */
export const warmUpFiles = async (folder: string): Promise<void> => {
  const buffer = Buffer.allocUnsafe(EDGE_BYTES);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await open(join(entry.parentPath, entry.name));
    const { size } = await file.stat();
    await file.read(buffer, 0, EDGE_BYTES, 0);
    await file.read(buffer, 0, EDGE_BYTES, Math.max(0, size - EDGE_BYTES));
    await file.close();
  }
};
