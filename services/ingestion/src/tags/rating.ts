import type { TagBag } from './tag-bag.js';

/** Stars of a popularimeter by the largest byte of each, as players and taggers have agreed (1, 64, 128, 196, 255 are what they write). */
const BYTE_STEPS = [31, 95, 159, 223, 255];
/** The same for Windows Media's scale of 0 to 99 (1, 25, 50, 75, 99). */
const MEDIA_STEPS = [12, 37, 62, 86, 99];
/** Value of one star, of 100. */
const STAR = 20;

const starsBy = (steps: readonly number[], value: number): number | undefined => {
  const place = steps.findIndex((largest) => value <= largest);
  return value <= 0 || place < 0 ? undefined : (place + 1) * STAR;
};

const percent = (value: number): number | undefined => (value > 0 && value <= 100 ? Math.max(1, Math.round(value)) : undefined);

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value.trim().replace(',', '.')) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

/** The byte of a popularimeter: ID3 has it in a frame, Windows Media as the text `address|byte|plays`. */
const byteOf = (value: unknown): number | undefined => {
  if (typeof value === 'string') return numberIn(value.split('|')[1]);
  return value !== null && typeof value === 'object' && 'rating' in value ? numberIn(value.rating) : undefined;
};

/** One to five are stars, up to ten half stars, beyond that it is a hundred; a comma or point marks a share of one, or half a star. */
const plainScale = (value: number, text: string): number | undefined => {
  if (value <= 1 && /[.,]/.test(text)) return percent(value * 100);
  if (value <= 5) return percent(value * STAR);
  return percent(value <= 10 ? value * 10 : value);
};

/** Scales of rating tags, the most exact first. */
const scales: readonly (readonly [names: readonly string[], read: (value: unknown) => number | undefined])[] = [
  [
    ['fmps_rating'],
    (value) => {
      const share = numberIn(value) ?? 0;
      return share <= 1 ? percent(share * 100) : undefined;
    },
  ],
  [['popm', 'popularimeter'], (value) => starsBy(BYTE_STEPS, byteOf(value) ?? 0)],
  [['shareduserrating'], (value) => starsBy(MEDIA_STEPS, numberIn(value) ?? 0)],
  [['rate'], (value) => percent(numberIn(value) ?? 0)],
  [['rating', 'rating wmp'], (value) => plainScale(numberIn(value) ?? 0, String(value))],
];

/**
 * Rating of a track by its tags, of 100; undefined without one, and for "not rated". Read are popularimeters (ID3, also in Windows Media),
 * `FMPS_RATING` (0 to 1), `RATING` (stars, or of 100), iTunes' and Windows Media's own.
 */
export const ratingFrom = (bag: TagBag): number | undefined => {
  for (const [names, read] of scales) {
    for (const value of bag.all(...names)) {
      const found = read(value);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};
