import { scannedTrack, type ScannedTrack } from '@continuo/contracts';

/** A made-up track as a scan would report it; `revision` changes its tags and its size. */
export const syntheticTrack = (fileName: string, artist: string, album: string, revision = 1): ScannedTrack => {
  const title = titleOf(fileName, revision);
  return scannedTrack.parse({
    fileName,
    sizeBytes: 1000 + revision,
    mtimeMs: 1_700_000_000_000 + revision,
    digest: `${artist}/${album}/${title}`,
    title,
    artists: [{ name: artist }],
    albumArtists: [{ name: artist }],
    album: { name: album, year: 1980 + (revision % 40) },
    genres: ['Rock', revision > 1 ? 'Pop' : 'Jazz'],
    moods: [],
    durationMs: 180_000,
    format: 'mp3',
    mime: 'audio/mpeg',
    bitrateBps: 192_000,
    sampleRateHz: 44_100,
  });
};

/** The title of a made-up track. */
export const titleOf = (fileName: string, revision: number): string => `${fileName.replace(/\.\w+$/, '')} take ${revision}`;
