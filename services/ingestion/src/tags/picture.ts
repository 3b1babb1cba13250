import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import type { ArtRef } from '@continuo/contracts';

/** Caps against pictures that would eat memory when somebody resizes them. */
export interface PictureLimits {
  readonly maxBytes: number;
  /** Width times height. */
  readonly maxPixels: number;
}

/** A usable picture, or the sentence that says why it is left out. */
export type PictureResult = { readonly ok: true; readonly ref: ArtRef } | { readonly ok: false; readonly why: string };

const mimes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
};

/** Checks a picture by its content: the declared type of a tag or a file suffix is not believed. */
export const inspectPicture = (bytes: Uint8Array, limits: PictureLimits): PictureResult => {
  if (bytes.length === 0) return { ok: false, why: 'the picture is empty' };
  if (bytes.length > limits.maxBytes)
    return { ok: false, why: `the picture has ${bytes.length} bytes, more than the ${limits.maxBytes} that are kept` };
  const size = sizeOf(bytes);
  const mime = mimes[size?.type ?? ''];
  if (size === undefined || mime === undefined) return { ok: false, why: 'the picture is in no format that clients show' };
  const pixels = size.widthPx * size.heightPx;
  if (pixels === 0 || pixels > limits.maxPixels) {
    return { ok: false, why: `the picture has ${size.widthPx} × ${size.heightPx} pixels, more than are shown` };
  }
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { ok: true, ref: { hash, mime, sizeBytes: bytes.length, widthPx: size.widthPx, heightPx: size.heightPx } };
};

/** The image library throws on damaged headers; for a scan that is an answer, not an error. */
const sizeOf = (bytes: Uint8Array): { type: string; widthPx: number; heightPx: number } | undefined => {
  try {
    const { type, width, height } = imageSize(bytes);
    return { type: type ?? '', widthPx: width, heightPx: height };
  } catch {
    return undefined;
  }
};
