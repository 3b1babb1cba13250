/** Growth of the pauses between attempts. */
export interface RetryPauses {
  readonly firstMs: number;
  readonly mostMs: number;
}

const FACTOR = 3;
/** Pauses are spread by a fifth to both sides, so that what failed together does not come back together. */
const SPREAD = 0.4;

/** Pause after so many failed attempts, ms: three times the one before, spread by `random` (0 to 1); longer when the other side asks for it. */
export const retryPauseMs = (
  attempts: number,
  { firstMs, mostMs }: RetryPauses,
  askedMs: number | null | undefined,
  random: number,
): number => {
  const plain = Math.min(mostMs, firstMs * FACTOR ** (attempts - 1));
  return Math.round(Math.max(plain * (1 - SPREAD / 2 + SPREAD * random), askedMs ?? 0));
};
