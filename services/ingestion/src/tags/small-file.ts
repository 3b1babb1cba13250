import { openDiskFile } from './disk-file.js';
import { isAddress, openRanged } from './ranged-file.js';

/** A file that is read whole, if it is small enough. */
export type SmallFile = { readonly sizeBytes: number; readonly bytes?: Uint8Array };

/** Reads a whole file, on this machine or elsewhere; of one with more than `maxBytes` its size alone. @throws the error of the file system */
export const readSmallFile = async (location: string, maxBytes: number): Promise<SmallFile> => {
  const file = isAddress(location) ? await openRanged(location) : await openDiskFile(location);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw Object.assign(new Error('it is no regular file'), { code: 'EISDIR' });
    const { size: sizeBytes } = stats;
    if (sizeBytes > maxBytes) return { sizeBytes };
    const bytes = new Uint8Array(sizeBytes);
    const { bytesRead } = await file.read(bytes, 0, sizeBytes, 0);
    return { sizeBytes, bytes: bytesRead === sizeBytes ? bytes : bytes.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
};
