import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { soundOf, soundPattern, soundsAlike, type Sound } from './phonetic.js';

const sound = (text: string): Sound => {
  const found = soundOf(text);
  if (!found) throw new Error(`${text} has no sound`);
  return found;
};

describe('sounds', () => {
  it.each([
    ['robert', 'rupert', true],
    ['smith', 'smyth', true],
    ['harbour lights', 'harber lites', false],
    ['harbour', 'harber', true],
    ['ashcraft', 'ashcroft', true],
    ['lights', 'nights', false],
    ['beatles', 'beat', false],
    ['a', 'aeiou', true],
  ])('of %s and %s are alike: %s', (one, other, isAlike) => {
    expect(soundsAlike(sound(one), sound(other))).toBe(isAlike);
  });
  it('need a Latin letter', () => {
    expect(soundOf('день 12')).toBeUndefined();
  });
  it('have a pattern that matches what sounds alike, and nothing else', () => {
    const letters = fc.string({ maxLength: 8, unit: fc.constantFrom(...Array.from("abcdhlmnrstwy é1'")) });
    fc.assert(
      fc.property(letters, letters, (one, other) => {
        const [left, right] = [soundOf(one), soundOf(other)];
        if (!left) return;
        expect(new RegExp(soundPattern(left)).test(other)).toBe(right !== undefined && soundsAlike(left, right));
      }),
      { numRuns: 5000 },
    );
  });
});
