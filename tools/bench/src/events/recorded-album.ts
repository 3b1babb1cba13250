import { createHash } from 'node:crypto';
import type { AlbumId, ArtistId, ArtRef, GenreId, MoodId, NameTables, RecordedTrack, SongId } from '@continuo/contracts';
import { GENRES, MOODS, type SyntheticAlbum, type SyntheticArtist, type SyntheticTrack, trackStem } from '@continuo/media-fixtures';

const SONGS_PER_ALBUM = 12;
/** Files seem to have been written from this moment on, a minute apart. */
const FIRST_MTIME_MS = Date.UTC(2015, 0, 1);

const artistId = ({ number }: SyntheticArtist): ArtistId => (number + 1) as ArtistId;
const genreId = (name: string): GenreId => (GENRES.indexOf(name) + 1) as GenreId;
const moodId = (name: string): MoodId => (MOODS.indexOf(name) + 1) as MoodId;
const songIdOf = (album: SyntheticAlbum, index: number): SongId => (album.number * SONGS_PER_ALBUM + index + 1) as SongId;

const digest = (algorithm: 'sha1' | 'sha256', text: string): string => createHash(algorithm).update(text).digest('hex');

const artOf = (album: SyntheticAlbum): ArtRef => ({
  hash: digest('sha256', `art of album ${album.number}`),
  mime: 'image/jpeg',
  sizeBytes: 40_000 + (album.number % 50_000),
  widthPx: 500,
  heightPx: 500,
});

/** Sound properties of this album's files: every third album is lossless. */
const soundOf = (album: SyntheticAlbum) =>
  album.number % 3 === 0
    ? { format: 'flac', codec: 'FLAC', mime: 'audio/flac', bitrateBps: 900_000, bitrateMode: 'vbr' as const, lossless: true, bitDepth: 16 }
    : { format: 'mp3', codec: 'MPEG 1 Layer 3', mime: 'audio/mpeg', bitrateBps: 320_000, bitrateMode: 'cbr' as const, lossless: false };

const recordedTrack = (album: SyntheticAlbum, track: SyntheticTrack, index: number): RecordedTrack => {
  const sound = soundOf(album);
  const fileName = `${trackStem(album, track)}.${sound.format}`;
  const diskTotal = album.disks;
  return {
    songId: songIdOf(album, index),
    fileName,
    sizeBytes: Math.round((track.durationMs / 8000) * sound.bitrateBps),
    mtimeMs: FIRST_MTIME_MS + (album.number * SONGS_PER_ALBUM + index) * 60_000,
    digest: digest('sha1', `album ${album.number} track ${index} ${track.title}`),
    title: track.title,
    composers: track.composer === undefined ? [] : [track.composer],
    contributors: [],
    disk: track.disk,
    diskTotal,
    track: track.track,
    trackTotal: album.tracks.length,
    year: album.year,
    durationMs: track.durationMs,
    ...sound,
    sampleRateHz: 44_100,
    channels: 2,
    ...(track.mbRecordingId === undefined ? {} : { mbRecordingId: track.mbRecordingId }),
    isrcs: [],
    loudness: track.trackGainDb === undefined ? {} : { trackGainDb: track.trackGainDb, trackPeak: 0.98 },
    lyrics:
      track.lyrics.length === 0 ? [] : [{ language: 'xxx', synced: false, source: 'tag', lines: track.lyrics.map((text) => ({ text })) }],
    ...(album.art === 'embedded' ? { art: artOf(album) } : {}),
    extraTags: {},
    artistIds: track.artists.map(artistId),
    albumId: (album.number + 1) as AlbumId,
    genreIds: track.genres.map(genreId),
    moodIds: track.moods.map(moodId),
  };
};

const namesOf = (album: SyntheticAlbum): NameTables => {
  const artists = new Map([album.artist, ...album.tracks.flatMap((track) => track.artists)].map((artist) => [artist.number, artist]));
  const genres = new Set(album.tracks.flatMap((track) => track.genres));
  const moods = new Set(album.tracks.flatMap((track) => track.moods));
  return {
    artists: [...artists.values()].map((artist) => ({ id: artistId(artist), name: artist.name })),
    albums: [
      {
        id: (album.number + 1) as AlbumId,
        name: album.name,
        artistIds: [artistId(album.artist)],
        year: album.year,
        releaseTypes: ['album'],
        recordLabels: album.recordLabel === undefined ? [] : [album.recordLabel],
        compilation: album.compilation,
        ...(album.mbAlbumId === undefined ? {} : { mbAlbumId: album.mbAlbumId }),
      },
    ],
    genres: [...genres].map((name) => ({ id: genreId(name), name })),
    moods: [...moods].map((name) => ({ id: moodId(name), name })),
  };
};

/** Creates the scan's record of an album: its tracks and the names that they point to. Ids follow from the album's number. */
export const recordedAlbum = (album: SyntheticAlbum): { names: NameTables; tracks: RecordedTrack[]; folderArt: ArtRef | null } => ({
  names: namesOf(album),
  tracks: album.tracks.map((track, index) => recordedTrack(album, track, index)),
  folderArt: album.art === 'folder' ? artOf(album) : null,
});
