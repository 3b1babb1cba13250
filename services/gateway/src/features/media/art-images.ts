import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Rejection } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import type { ArtStore } from '@continuo/media-store';
import { ConcurrencyLimiter } from '../../server/concurrency-limiter.js';
import { loadSharp } from './load-sharp.js';
import { ArtIdentities } from './art-identities.js';
import type { Sendable } from './send-bytes.js';

/** The largest box that a picture is to fit in, in pixels. */
export interface ArtSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Limits of resizing. */
export interface ArtLimits {
  readonly maxSidePx: number;
  readonly maxInputPixels: number;
  readonly maxInputBytes: number;
  readonly cacheBytes: number;
  readonly workers: number;
  readonly queue: number;
}

interface Picture {
  readonly bytes: Buffer;
  readonly mime: string;
}

const CACHE_CONTROL = 'private, max-age=3600';
const PLACEHOLDER_CACHE_CONTROL = 'private, max-age=300';
const SAFE_MIMES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);
const PLACEHOLDER_SIDE_PX = 256;
const PLACEHOLDER_COLOUR = '#3b4252';

/** Reads `640x480`; undefined for `original` and for what is no size. */
export const parseArtSize = (text: string | undefined): ArtSize | undefined => {
  const match = /^(\d{1,5})x(\d{1,5})$/i.exec(text?.trim() ?? '');
  if (!match || Number(match[1]) === 0 || Number(match[2]) === 0) return undefined;
  return { widthPx: Number(match[1]), heightPx: Number(match[2]) };
};

/** Pictures by content hash, in the size that is asked for. */
export class ArtImages {
  private readonly cache: LRUCache<string, Picture>;
  private readonly making = new Map<string, Promise<Picture>>();
  /** Workers that resize, and who waits for one. */
  readonly limiter: ConcurrencyLimiter;
  private readonly placeholders = new Map<number, Promise<Picture>>();

  constructor(
    private readonly store: ArtStore,
    private readonly limits: ArtLimits,
    private readonly onLookup: (outcome: 'hit' | 'miss') => void = () => undefined,
    /** Which pictures objects have. */
    readonly identities: ArtIdentities = new ArtIdentities({ now: Date.now, keptMs: 0 }),
  ) {
    this.cache = new LRUCache({ maxSize: Math.max(1, limits.cacheBytes), sizeCalculation: ({ bytes }) => bytes.length + 1 });
    this.limiter = new ConcurrencyLimiter(limits.workers, limits.queue);
  }

  /**
   * A picture as it can be sent. An original goes out as it is when it is a raster picture that browsers know, else as a new one.
   * @throws Rejection `art.not-found`, or `unavailable` when too many are being resized
   */
  async get(art: { readonly hash: string; readonly mime: string }, size?: ArtSize): Promise<Sendable> {
    const box = this.boxOf(size);
    const key = `${art.hash}-${box.widthPx}x${box.heightPx}`;
    const made = size && this.cache.get(key);
    if (made) {
      this.onLookup('hit');
      return sendablePicture(made, `"${key}"`);
    }
    const { sizeBytes } = await this.store.stat(art.hash);
    const asIs = SAFE_MIMES.has(art.mime) && (size === undefined || sizeBytes > this.limits.maxInputBytes);
    if (asIs) return this.original(art, sizeBytes);
    if (sizeBytes > this.limits.maxInputBytes) throw new Rejection('art.not-found', 'the picture is too large to be shown');
    return sendablePicture(await this.made(key, art.hash, box), `"${key}"`);
  }

  /** Returns the placeholder of a missing picture; cached for a short time, because one may be added. */
  async placeholder(size?: ArtSize): Promise<Sendable> {
    const sidePx = Math.min(PLACEHOLDER_SIDE_PX, size?.widthPx ?? PLACEHOLDER_SIDE_PX, size?.heightPx ?? PLACEHOLDER_SIDE_PX);
    const drawn = this.placeholders.get(sidePx) ?? drawPlaceholder(sidePx);
    this.placeholders.set(sidePx, drawn);
    return { ...sendablePicture(await drawn, `"placeholder-2-${sidePx}"`), cacheControl: PLACEHOLDER_CACHE_CONTROL };
  }

  private original(art: { readonly hash: string; readonly mime: string }, sizeBytes: number): Sendable {
    return {
      sizeBytes,
      mime: art.mime,
      etag: `"${art.hash}"`,
      cacheControl: CACHE_CONTROL,
      open: async (range) => {
        const whole = await this.store.open(art.hash);
        return range ? cut(whole, range.start, range.end) : whole;
      },
    };
  }

  private boxOf(size: ArtSize | undefined): ArtSize {
    const { maxSidePx } = this.limits;
    return { widthPx: Math.min(size?.widthPx ?? maxSidePx, maxSidePx), heightPx: Math.min(size?.heightPx ?? maxSidePx, maxSidePx) };
  }

  private async made(key: string, hash: string, box: ArtSize): Promise<Picture> {
    const known = this.cache.get(key);
    this.onLookup(known ? 'hit' : 'miss');
    if (known) return known;
    const making = this.making.get(key) ?? this.limiter.run(() => this.resize(hash, box)).finally(() => this.making.delete(key));
    this.making.set(key, making);
    const picture = await making;
    this.cache.set(key, picture);
    return picture;
  }

  private async resize(hash: string, box: ArtSize): Promise<Picture> {
    const original = await buffer(await this.store.open(hash));
    try {
      const sharp = await loadSharp();
      const image = sharp(original, { limitInputPixels: this.limits.maxInputPixels, failOn: 'none' });
      const { hasAlpha } = await image.metadata();
      const fitted = image.rotate().resize(box.widthPx, box.heightPx, { fit: 'inside', withoutEnlargement: true });
      return hasAlpha
        ? { bytes: await fitted.png().toBuffer(), mime: 'image/png' }
        : { bytes: await fitted.jpeg({ quality: 85 }).toBuffer(), mime: 'image/jpeg' };
    } catch (error) {
      throw new Rejection('art.not-found', 'the picture cannot be read', undefined, { cause: error });
    }
  }
}

const sendablePicture = ({ bytes, mime }: Picture, etag: string): Sendable => ({
  sizeBytes: bytes.length,
  mime,
  etag,
  cacheControl: CACHE_CONTROL,
  open: async (range) => (range ? bytes.subarray(range.start, range.end + 1) : bytes),
});

/** A record in grey. */
const drawPlaceholder = async (sidePx: number): Promise<Picture> => {
  const ring = (radius: number, colour: string): string => `<circle cx="50" cy="50" r="${radius}" fill="${colour}"/>`;
  const [plate, groove, paper] = ['#4c566a', '#434c5e', '#d8dee9'];
  const rings = [
    ring(40, plate),
    ring(33, groove),
    ring(32, plate),
    ring(25, groove),
    ring(24, plate),
    ring(14, paper),
    ring(3, PLACEHOLDER_COLOUR),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${sidePx}" height="${sidePx}" viewBox="0 0 100 100">
    <rect width="100" height="100" fill="${PLACEHOLDER_COLOUR}"/>${rings.join('')}</svg>`;
  const sharp = await loadSharp();
  return { bytes: await sharp(Buffer.from(svg)).png().toBuffer(), mime: 'image/png' };
};

/** A part of a stream. Pictures are small, so what is before the part is simply read and dropped. */
const cut = (whole: Readable, start: number, end: number): Readable =>
  Readable.from(
    (async function* () {
      let at = 0;
      for await (const chunk of whole as AsyncIterable<Buffer>) {
        const from = Math.max(start - at, 0);
        const to = Math.min(end + 1 - at, chunk.length);
        if (from < to) yield chunk.subarray(from, to);
        at += chunk.length;
        if (at > end) return;
      }
    })(),
  );

/** Resizes pictures. */
export interface HasArt {
  readonly art: ArtImages;
}
