/** Growth of the pauses between attempts. */
export interface RetryPauses {
  readonly firstMs: number;
  readonly mostMs: number;
}

const FACTOR = 3;
/** Pauses are spread by a fifth to both sides, so that what failed together does not come back together. */
const SPREAD = 0.4;

/** Pause before a webhook retry, ms: three times the one before, spread; longer when the receiver asks for it. */
export const retryDelayMs = (attempt: number, { firstMs, mostMs }: RetryPauses, retryAfterMs: number | null, random: number): number => {
  const plain = Math.min(mostMs, firstMs * FACTOR ** (attempt - 1));
  return Math.max(Math.round(plain * (1 - SPREAD / 2 + SPREAD * random)), retryAfterMs ?? 0);
};
