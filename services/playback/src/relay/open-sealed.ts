import { SealBroken, type Sealer } from '@continuo/chassis';

/** Opens a sealed text; undefined when it was sealed under another key. */
export const openSealed = (sealer: Sealer, sealed: string): string | undefined => {
  try {
    return sealer.open(sealed);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
};
