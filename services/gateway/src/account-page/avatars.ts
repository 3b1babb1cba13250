import type { ArtStore } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import sharp from 'sharp';
import { Places } from '../http/places.js';

/** Limits of pictures of accounts. */
export interface AvatarLimits {
  readonly maxPixels: number;
  /** Side of the square that is kept. */
  readonly sidePx: number;
}

/** Makes pictures of accounts out of what people send. */
export interface AvatarMaker {
  /**
   * Keeps a square JPEG made of a picture, without anything but its pixels, and answers its hash.
   * @throws Rejection `input.invalid` for what is no picture or too large a one, `unavailable` when too many wait
   */
  keep(bytes: Buffer): Promise<string>;
}

const WORKERS = 1;
const QUEUE = 20;

const startsWith = (bytes: Buffer, at: number, text: string): boolean => bytes.toString('latin1', at, at + text.length) === text;

/** By its first bytes: what else image libraries read (SVG, PDF and the like) never reaches one. */
const isRaster = (bytes: Buffer): boolean =>
  startsWith(bytes, 0, '\xff\xd8\xff') ||
  startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, 0, 'GIF8') ||
  (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'));

const noPicture = (cause?: unknown): Rejection =>
  new Rejection('input.invalid', 'This is no JPEG, PNG, GIF or WebP picture, or one with too many pixels.', 'picture', { cause });

const square = async (bytes: Buffer, { maxPixels, sidePx }: AvatarLimits): Promise<Buffer> => {
  if (!isRaster(bytes)) throw noPicture();
  try {
    // The first frame alone; metadata are left behind, and whatever follows the picture in its file.
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .rotate()
      .resize(sidePx, sidePx, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 88 })
      .toBuffer();
  } catch (error) {
    throw noPicture(error);
  }
};

/** A maker that keeps what it makes in the art store. */
export const avatarMaker = (store: Pick<ArtStore, 'put'>, limits: AvatarLimits): AvatarMaker => {
  const places = new Places(WORKERS, QUEUE);
  return { keep: async (bytes) => store.put(await places.run(() => square(bytes, limits))) };
};
