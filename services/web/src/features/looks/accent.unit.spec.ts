import { describe, expect, it } from 'vitest';
import { accentsOf, contrastOf } from './accent.js';

const picture = (...colours: readonly (readonly [number, number, number])[]): number[] => colours.flatMap((colour) => [...colour, 255]);

describe('the accent of a cover', () => {
  it.each([[[250, 240, 20]], [[20, 20, 90]], [[255, 0, 0]], [[0, 255, 120]], [[200, 120, 220]]] as const)(
    'of %j can be read on the grounds of both themes, and what stands on it as well',
    (colour) => {
      const accents = accentsOf(picture(colour, [10, 10, 10]));
      if (!accents) throw new Error('there is none');
      expect(contrastOf(accents.light, [255, 255, 255])).toBeGreaterThan(4.5);
      expect(contrastOf(accents.light, [251, 250, 252])).toBeGreaterThan(4.5);
      expect(contrastOf(accents.dark, [28, 30, 36])).toBeGreaterThan(4.5);
      expect(contrastOf(accents.dark, [26, 16, 48])).toBeGreaterThan(4.5);
    },
  );

  it('has the hue of what is most colourful', () => {
    const accents = accentsOf(picture([200, 30, 30], [220, 40, 30], [90, 90, 100]));
    expect(accents && accents.light[0] > accents.light[1] + 60 && accents.light[0] > accents.light[2] + 60).toBe(true);
  });

  it('is missing for a picture in grey', () => {
    expect(accentsOf(picture([10, 10, 10], [200, 200, 204]))).toBeUndefined();
  });
});
