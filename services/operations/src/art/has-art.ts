import { Rejection } from '@continuo/contracts';
import type { ArtStore, StoredArt } from '@continuo/media-store';

/** True when a store holds a picture in this size. */
export const hasArt = async (store: ArtStore, { hash, sizeBytes }: StoredArt): Promise<boolean> => {
  try {
    return (await store.stat(hash)).sizeBytes === sizeBytes;
  } catch (error) {
    if (error instanceof Rejection && error.code === 'art.not-found') return false;
    throw error;
  }
};
