import { readFile, stat } from 'node:fs/promises';
import { isAddress, openRanged } from './ranged-file.js';

/** A file that is read whole, if it is small enough. */
export type SmallFile = { readonly sizeBytes: number; readonly bytes?: Uint8Array };

const readRanged = async (address: string, maxBytes: number): Promise<SmallFile> => {
  const file = await openRanged(address);
  try {
    const { size: sizeBytes } = await file.stat();
    if (sizeBytes > maxBytes) return { sizeBytes };
    const bytes = new Uint8Array(sizeBytes);
    await file.read(bytes, 0, sizeBytes, 0);
    return { sizeBytes, bytes };
  } finally {
    await file.close();
  }
};

/** Reads a whole file, on this machine or elsewhere; of one with more than `maxBytes` its size alone. @throws the error of the file system */
export const readSmallFile = async (location: string, maxBytes: number): Promise<SmallFile> => {
  if (isAddress(location)) return readRanged(location, maxBytes);
  const { size: sizeBytes } = await stat(location);
  return sizeBytes > maxBytes ? { sizeBytes } : { sizeBytes, bytes: await readFile(location) };
};
