import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ArtStore } from '@continuo/media-store';
import { hasArt } from './has-art.js';

/** Pictures that are copied at the same time. */
const AT_ONCE = 8;

/** Outcome of a copy. */
export interface ArtCopy {
  /** Pictures of the storage that was read. */
  readonly total: number;
  /** Of these, copied now; the others were there already. */
  readonly copied: number;
  readonly copiedBytes: number;
  /** Hashes of pictures whose bytes do not match their hash: in the storage that was read, or as they came back from the other one. */
  readonly damaged: readonly string[];
}

const isWhole = (hash: string, bytes: Uint8Array): boolean => createHash('sha256').update(bytes).digest('hex') === hash;

/** True for a picture that came back whole from where it was copied to. */
const copyOne = async (from: ArtStore, to: ArtStore, hash: string): Promise<boolean> => {
  const bytes = await buffer(await from.open(hash));
  if (!isWhole(hash, bytes)) return false;
  await to.put(bytes);
  return isWhole(hash, await buffer(await to.open(hash)));
};

/**
 * Copies the pictures that another storage lacks, reads each back and compares it with its hash. Nothing is changed where they come from. An interrupted copy is
 * continued by another one; when this fails, nothing is being copied any more.
 */
export const copyArt = async (from: ArtStore, to: ArtStore, tell: (done: number) => void): Promise<ArtCopy> => {
  const outcome = { total: 0, copied: 0, copiedBytes: 0 };
  const damaged: string[] = [];
  const pictures = from.list();
  const work = async (): Promise<void> => {
    for await (const picture of pictures) {
      outcome.total += 1;
      tell(outcome.total);
      if (await hasArt(to, picture)) continue;
      if (await copyOne(from, to, picture.hash)) {
        outcome.copied += 1;
        outcome.copiedBytes += picture.sizeBytes;
      } else damaged.push(picture.hash);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return { ...outcome, damaged };
};
