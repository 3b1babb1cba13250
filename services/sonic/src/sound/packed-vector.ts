import type { SoundVector } from '@continuo/contracts';

/** Largest byte of a packed vector; its opposite is the smallest, so that both sides are alike. */
const LARGEST = 127;

/** A vector in one byte per number: `value = scale * byte`. */
export interface PackedSound {
  readonly scale: number;
  readonly bytes: Int8Array;
}

/** Packs a vector; the error of a number is at most half a step, which is 1/254 of the largest. */
export const packSound = (vector: ArrayLike<number>): PackedSound => {
  let largest = 0;
  for (let at = 0; at < vector.length; at += 1) largest = Math.max(largest, Math.abs(vector[at] ?? 0));
  const scale = Math.fround(largest / LARGEST);
  const bytes = Int8Array.from({ length: vector.length }, (_, at) => (scale > 0 ? Math.round((vector[at] ?? 0) / scale) : 0));
  return { scale, bytes };
};

/** The same as an event carries it. */
export const toEvent = ({ scale, bytes }: PackedSound): SoundVector => ({
  scale,
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
});

/** The bytes of a vector in an event, as a table keeps them. */
export const bytesOf = ({ bytes }: SoundVector): Buffer => Buffer.from(bytes, 'base64');

/** The same bytes with their signs. */
export const signed = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
