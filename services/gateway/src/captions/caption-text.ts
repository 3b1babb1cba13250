import { isUtf8 } from 'node:buffer';
import { captionEncoding, type CaptionEncoding } from '@continuo/contracts';
import chardet from 'chardet';

/** What old tools wrote in the west. */
const FALLBACK = 'windows-1252';
const SAMPLE_BYTES = 64 * 1024;

const byMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
};

/** UTF-16 without a mark: captions are full of digits and colons, of which every other byte is 0. */
const byZeros = (bytes: Uint8Array): string | undefined => {
  const sample = bytes.subarray(0, 4096);
  const zerosAt = (from: 0 | 1): number => sample.filter((byte, at) => at % 2 === from && byte === 0).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (Math.max(even, odd) * 10 < sample.length) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
};

/** Sets in which most letters are ASCII and the others stand alone. */
const LATIN = /^(?:iso-8859-(?:1|2|3|4|9|10|13|14|15|16)|windows-(?:1250|1252|1254|1257|1258))$/i;
/** Foreign letters that follow each other: more are words of another script, fewer are accents in a Latin one. */
const LATIN_RUN = 2.5;
/** From here on a guess says something by itself. */
const SURE = 50;

/** Foreign letters per run of them. */
const meanRun = (bytes: Uint8Array): number => {
  let runs = 0;
  let foreign = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    foreign += 1;
    if ((bytes[at - 1] ?? 0) < 0x80) runs += 1;
  }
  return runs === 0 ? 0 : foreign / runs;
};

/** The likeliest set by the frequencies of its letters; short texts say too little for that, but whether their script is Latin at all is seen. */
const guessed = (bytes: Uint8Array): string => {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const isLatin = meanRun(sample) < LATIN_RUN;
  const found = chardet.analyse(sample).filter(({ name }) => LATIN.test(name) === isLatin && !name.startsWith('UTF'));
  const [best] = found.filter(({ confidence }) => !isLatin || confidence >= SURE);
  return best?.name ?? FALLBACK;
};

const decoderOf = (label: string): InstanceType<typeof TextDecoder> | undefined => {
  try {
    return new TextDecoder(label);
  } catch {
    // A set that is guessed but not known here is as good as none.
    return undefined;
  }
};

const setOf = (bytes: Uint8Array): string =>
  byMark(bytes) ?? (bytes.includes(0) ? byZeros(bytes) : undefined) ?? (isUtf8(bytes) ? 'utf-8' : guessed(bytes));

/** The character set of a file of captions, as those name it that draw them. */
export const captionEncodingOf = (bytes: Uint8Array): CaptionEncoding => {
  const name = setOf(bytes).toLowerCase();
  if (name.startsWith('utf-')) return 'unicode';
  return captionEncoding.options.find((known) => known === name) ?? FALLBACK;
};

/** The text of a file of captions: by its mark, as UTF-8 when it is, else by a guess from its letters. */
export const decodeCaptions = (bytes: Uint8Array): string => {
  const text = (decoderOf(setOf(bytes)) ?? new TextDecoder(FALLBACK)).decode(bytes);
  return text.replaceAll('\0', '').toWellFormed();
};
