import { SealBroken, type Sealer } from '@continuo/chassis';

/** What a sealed text says; undefined when it was sealed under another key. */
export const opened = (sealer: Sealer, sealed: string): string | undefined => {
  try {
    return sealer.open(sealed);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
};
