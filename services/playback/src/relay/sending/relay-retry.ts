/** Growth of the pauses between attempts. */
export interface RelayPauses {
  readonly firstMs: number;
  readonly mostMs: number;
}

const FACTOR = 3;
/** Pauses are spread by a fifth to both sides, so that what failed together does not come back together. */
const SPREAD = 0.4;

/** The pause after so many failed tries, ms: three times the one before, spread; longer when the service asks for it. */
export const relayPauseMs = (attempts: number, { firstMs, mostMs }: RelayPauses, askedMs: number | undefined, random: number): number => {
  const plain = Math.min(mostMs, firstMs * FACTOR ** (attempts - 1));
  return Math.round(Math.max(plain * (1 - SPREAD / 2 + SPREAD * random), askedMs ?? 0));
};
