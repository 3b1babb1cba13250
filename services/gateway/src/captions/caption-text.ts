import { isUtf8 } from 'node:buffer';
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

const decoderOf = (label: string | null): InstanceType<typeof TextDecoder> | undefined => {
  try {
    return label === null ? undefined : new TextDecoder(label);
  } catch {
    // A set that is guessed but not known here is as good as none.
    return undefined;
  }
};

/** The text of a file of captions: by its mark, as UTF-8 when it is, else by a guess from its letters. */
export const decodeCaptions = (bytes: Uint8Array): string => {
  const wide = byMark(bytes) ?? (bytes.includes(0) ? byZeros(bytes) : undefined);
  const label = wide ?? (isUtf8(bytes) ? 'utf-8' : chardet.detect(bytes.subarray(0, SAMPLE_BYTES)));
  const text = (decoderOf(label) ?? new TextDecoder(FALLBACK)).decode(bytes);
  return text.replaceAll('\0', '').toWellFormed();
};
