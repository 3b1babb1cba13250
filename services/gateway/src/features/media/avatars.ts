import { Rejection } from '@continuo/contracts';
import type { ArtStore } from '@continuo/media-store';
import { loadSharp } from './load-sharp.js';
import { ConcurrencyLimiter } from '../../server/concurrency-limiter.js';

/** Side of the stored square, pixels. */
const AVATAR_SIDE_PX = 512;

/** Converts and stores account pictures. */
export interface AvatarMaker {
  /**
   * Stores the picture as a square JPEG without metadata and returns its hash.
   * @throws Rejection `input.invalid` when it is not a picture or too large, `unavailable` when too many are waiting
   */
  keep(bytes: Buffer): Promise<string>;
}

/** Keeps account pictures. */
export interface HasAvatars {
  readonly avatars: AvatarMaker;
}

const WORKERS = 1;
const QUEUE = 20;

const startsWith = (bytes: Buffer, at: number, text: string): boolean => bytes.toString('latin1', at, at + text.length) === text;

/** Checks the first bytes, so that other formats of the image library (SVG, PDF) never reach it. */
const isRaster = (bytes: Buffer): boolean =>
  startsWith(bytes, 0, '\xff\xd8\xff') ||
  startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') ||
  startsWith(bytes, 0, 'GIF8') ||
  (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'));

const noPicture = (cause?: unknown): Rejection =>
  new Rejection('input.invalid', 'This is no JPEG, PNG, GIF or WebP picture, or one with too many pixels.', 'picture', { cause });

const square = async (bytes: Buffer, maxPixels: number): Promise<Buffer> => {
  if (!isRaster(bytes)) throw noPicture();
  try {
    const sharp = await loadSharp();
    // Only the first frame; metadata and trailing bytes are dropped.
    return await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 })
      .rotate()
      .resize(AVATAR_SIDE_PX, AVATAR_SIDE_PX, { fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 88 })
      .toBuffer();
  } catch (error) {
    throw noPicture(error);
  }
};

/** An avatar maker that writes to the art store. */
export const avatarMaker = (store: Pick<ArtStore, 'put'>, maxPixels: number): AvatarMaker => {
  const limiter = new ConcurrencyLimiter(WORKERS, QUEUE);
  return { keep: async (bytes) => store.put(await limiter.run(() => square(bytes, maxPixels))) };
};
