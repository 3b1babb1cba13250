import type { Random } from './random.js';

const ONSETS = 'b c d f g h j k l m n p r s t v w z ch sh'.split(' ');
const VOWELS = 'a e i o u'.split(' ');
/** Accents and other scripts that real libraries hold, to keep folding and sorting honest. */
const DECORATED = ['é', 'ö', 'ñ', 'å', 'ž', 'Ж', 'の', '愛'];
const SYLLABLES = ONSETS.length * VOWELS.length;
const WORDS = SYLLABLES ** 3;
/** Coprime to the number of words, so that neighbouring numbers give words that look unrelated and never the same. */
const STRIDE = 617_681;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A word for a number below one million; different numbers give different words. */
export const uniqueWord = (n: number): string => {
  let rest = (n * STRIDE + 123_457) % WORDS;
  let word = '';
  for (let syllable = 0; syllable < 3; syllable += 1) {
    const part = rest % SYLLABLES;
    rest = Math.floor(rest / SYLLABLES);
    word += `${ONSETS[part % ONSETS.length]}${VOWELS[Math.floor(part / ONSETS.length)]}`;
  }
  return capital(word);
};

/** The name of the artist with this number: unique, some with a leading article, accents or other scripts. */
export const artistName = (n: number): string => {
  const word = uniqueWord(n);
  switch (n % 10) {
    case 0:
      return `The ${word}`;
    case 1:
      return `${word} and the ${uniqueWord(n + 500_000)}s`;
    case 2:
      return `${word} ${DECORATED[Math.floor(n / 10) % DECORATED.length]}`;
    case 3:
      return `${word} Quartet`;
    default:
      return `${word} ${uniqueWord(n + 250_000)}`;
  }
};

/** The name of the album with this number: unique. */
export const albumName = (n: number): string =>
  n % 7 === 0 ? `A ${uniqueWord(n)}` : `${uniqueWord(n)} ${n % 3 === 0 ? 'Nights' : 'Songs'}`;

/** A title of one to four words. */
export const trackTitle = (random: Random): string =>
  Array.from({ length: 1 + random.below(4) }, () => uniqueWord(random.below(20_000))).join(' ');

/** Genres, the most frequent first. */
export const GENRES: readonly string[] = [
  'Rock',
  'Pop',
  'Electronic',
  'Jazz',
  'Classical',
  'Hip-Hop',
  'Folk',
  'Metal',
  'Indie Rock',
  'Ambient',
  'Blues',
  'Country',
  'Soul',
  'Funk',
  'Punk',
  'House',
  'Techno',
  'R&B',
  'Reggae',
  'World',
  'Soundtrack',
  'Singer-Songwriter',
  'Alternative',
  'Progressive Rock',
  'Trip-Hop',
  'Drum & Bass',
  'Post-Rock',
  'Shoegaze',
  'Latin',
  'Bossa Nova',
  'Disco',
  'Gospel',
  'Opera',
  'Chamber Music',
  'New Wave',
  'Synthpop',
  'Dub',
  'Ska',
  'Bluegrass',
  'Chanson',
];

/** Moods as tags name them. */
export const MOODS: readonly string[] = ['Calm', 'Happy', 'Melancholic', 'Energetic', 'Dreamy', 'Dark'];

/** A few lines of words that no song has. */
export const lyricLines = (random: Random): string[] => Array.from({ length: 6 + random.below(12) }, () => trackTitle(random));

/** A MusicBrainz-like id, version 4 in form. */
export const fakeMbid = (random: Random): string => {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};
