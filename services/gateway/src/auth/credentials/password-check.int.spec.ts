import { sha256Hex } from '@continuo/chassis';
import { hash } from 'argon2';
import { describe, expect, it } from 'vitest';
import { argon2Check } from './password-check.js';

const noSteps = (): void => undefined;

describe('the check of passwords', () => {
  it('knows the right one, also from a server that hashed with other costs', async () => {
    const check = argon2Check();
    for (const costs of [{}, { memoryCost: 1024, timeCost: 3, parallelism: 1 }]) {
      const kept = await hash(sha256Hex('right'), costs);
      expect(await check.check(kept, 'right', noSteps)).toBe(true);
      expect(await check.check(kept, 'wrong', noSteps)).toBe(false);
    }
    expect(await check.check(undefined, '', noSteps)).toBe(false);
  });

  it('takes as long when there is no account', async () => {
    const check = argon2Check();
    // As the social service makes them.
    const kept = await hash(sha256Hex('right'), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    const timed = async (hashed: string | undefined): Promise<number> => {
      const begun = performance.now();
      await check.check(hashed, 'wrong', noSteps);
      return performance.now() - begun;
    };
    await timed(undefined);
    const pairs: (readonly [number, number])[] = [];
    for (let round = 0; round < 15; round += 1) pairs.push([await timed(kept), await timed(undefined)] as const);
    const least = (at: 0 | 1): number => Math.min(...pairs.map((pair) => pair[at]));
    expect(least(1) / least(0)).toBeGreaterThan(0.6);
    expect(least(1) / least(0)).toBeLessThan(1.7);
  });
});
