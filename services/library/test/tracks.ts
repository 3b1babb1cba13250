import { scannedTrack, type ScannedTrack } from '@continuo/contracts';
import type { z } from 'zod';

/** A track as ingestion would send it, with plain defaults; `digest` follows from the content. */
export const track = (fileName: string, parts: Partial<z.input<typeof scannedTrack>> = {}): ScannedTrack => {
  const base = {
    fileName,
    sizeBytes: 1000,
    mtimeMs: 1_700_000_000_000,
    title: fileName.replace(/\.\w+$/, ''),
    artists: [{ name: 'The Testers' }],
    albumArtists: [{ name: 'The Testers' }],
    album: { name: 'First Light', year: 2001 },
    genres: ['Rock'],
    moods: [],
    durationMs: 180_000,
    format: 'mp3',
    mime: 'audio/mpeg',
    bitrateBps: 192_000,
    sampleRateHz: 44_100,
    ...parts,
  };
  return scannedTrack.parse({ ...base, digest: JSON.stringify(base) });
};
