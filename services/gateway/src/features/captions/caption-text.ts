import { isUtf8 } from 'node:buffer';
import { captionEncoding, type CaptionEncoding } from '@continuo/contracts';
import chardet from 'chardet';

/** Assumed when nothing else fits: the usual encoding of old western tools. */
const FALLBACK = 'windows-1252';
const SAMPLE_BYTES = 64 * 1024;

const byMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
};

/** Detects UTF-16 without a byte order mark: captions are full of digits and colons, in which every other byte is 0. */
const byZeros = (bytes: Uint8Array): string | undefined => {
  const sample = bytes.subarray(0, 4096);
  const zerosAt = (from: 0 | 1): number => sample.filter((byte, at) => at % 2 === from && byte === 0).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (Math.max(even, odd) * 10 < sample.length) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
};

/** Encodings of Latin scripts, in which most letters are ASCII. */
const LATIN = /^(?:iso-8859-(?:1|2|3|4|9|10|13|14|15|16)|windows-(?:1250|1252|1254|1257|1258))$/i;
/** Mean run length of non-ASCII bytes above which a text is not in a Latin script. */
const LATIN_RUN = 2.5;
/** Confidence from which a detected encoding is accepted. */
const SURE = 50;

/** Mean length of runs of non-ASCII bytes. */
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

/** Detects an encoding by letter frequencies; for short texts only Latin or not is reliable. */
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
    // An encoding that cannot be decoded here is ignored.
    return undefined;
  }
};

const setOf = (bytes: Uint8Array): string =>
  byMark(bytes) ?? (bytes.includes(0) ? byZeros(bytes) : undefined) ?? (isUtf8(bytes) ? 'utf-8' : guessed(bytes));

/** Encoding of a caption file, by the name that ffmpeg uses. */
export const captionEncodingOf = (bytes: Uint8Array): CaptionEncoding => {
  const name = setOf(bytes).toLowerCase();
  if (name.startsWith('utf-')) return 'unicode';
  return captionEncoding.options.find((known) => known === name) ?? FALLBACK;
};

/** Decodes a caption file: by byte order mark, as UTF-8 if valid, else by a detected encoding. */
export const decodeCaptions = (bytes: Uint8Array): string => {
  const text = (decoderOf(setOf(bytes)) ?? new TextDecoder(FALLBACK)).decode(bytes);
  return text.replaceAll('\0', '').toWellFormed();
};
