const numbersOf = (version: string): number[] => version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);

/** True when one version comes before another, by its first numbers. */
export const isBefore = (version: string, other: string, numbers = 3): boolean => {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  for (let index = 0; index < numbers; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
};
