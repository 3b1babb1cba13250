import type { scannedTrack } from '@continuo/contracts';
import type { z } from 'zod';

/** Tags and sound of a file, as a scan reports them. */
export type TrackTags = z.input<typeof scannedTrack>;

/** 2024-05-01T10:20:30.000Z */
export const FIRST_SCAN_MS = Date.UTC(2024, 4, 1, 10, 20, 30);

const MIMES: Readonly<Record<string, string>> = { flac: 'audio/flac', mp3: 'audio/mpeg', ogg: 'audio/ogg', opus: 'audio/ogg' };

/** A file with plain sound properties and the given tags; its digest follows from them. */
export const scanned = (fileName: string, tags: Partial<TrackTags>): TrackTags => {
  const format = fileName.slice(fileName.lastIndexOf('.') + 1);
  const read = {
    fileName,
    title: fileName,
    artists: [],
    albumArtists: [],
    album: { name: '[Unknown Album]' },
    genres: [],
    moods: [],
    mtimeMs: FIRST_SCAN_MS,
    sizeBytes: 20_000_000,
    durationMs: 181_400,
    format,
    mime: MIMES[format] ?? 'audio/mpeg',
    bitrateBps: 912_345,
    sampleRateHz: 44_100,
    channels: 2,
    ...tags,
  };
  return { ...read, digest: JSON.stringify(read) };
};
