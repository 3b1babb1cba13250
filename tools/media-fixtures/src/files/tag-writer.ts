import { TagLib } from 'taglib-wasm';
import type { SyntheticAlbum, SyntheticTrack } from '../synthetic/library.js';
import { fileFormats, type FormatName } from './formats.js';

/** Writes tags into a copy of a seed file, in memory. */
export interface TagWriter {
  /** `cover` is a JPEG to embed. */
  write(seed: Uint8Array, tags: Readonly<Record<string, string[]>>, cover?: Uint8Array): Promise<Uint8Array>;
}

/** Starts TagLib (WebAssembly); one writer serves any number of files. */
export const tagWriter = async (): Promise<TagWriter> => {
  const taglib = await TagLib.initialize();
  return {
    write: async (seed, tags, cover) => {
      const file = await taglib.open(seed);
      try {
        file.setProperties(tags);
        if (cover) file.setPictures([{ mimeType: 'image/jpeg', data: cover, type: 'FrontCover', description: '' }]);
        if (!file.save()) throw new Error('the tags could not be written');
        return file.getFileBuffer();
      } finally {
        file.dispose();
      }
    },
  };
};

const some = (key: string, ...values: (string | undefined)[]): Record<string, string[]> => {
  const present = values.filter((value) => value !== undefined);
  return present.length > 0 ? { [key]: present } : {};
};

/** The tags of one track under TagLib's names. Formats without several values per tag get the first one. */
export const tagsOf = (album: SyntheticAlbum, track: SyntheticTrack, format: FormatName): Record<string, string[]> => {
  const kept = <T>(values: readonly T[]): readonly T[] => (fileFormats[format].multiValue ? values : values.slice(0, 1));
  return {
    title: [track.title],
    artist: kept(track.artists).map(({ name }) => name),
    albumArtist: [album.artist.name],
    album: [album.name],
    genre: [...kept(track.genres)],
    date: [String(album.year)],
    trackNumber: [String(track.track)],
    discNumber: [String(track.disk)],
    ...(album.compilation ? { compilation: ['1'] } : {}),
    ...some('mood', ...kept(track.moods)),
    ...some('composer', track.composer),
    ...some('label', album.recordLabel),
    ...some('musicbrainzReleaseId', album.mbAlbumId),
    ...some('musicbrainzTrackId', track.mbRecordingId),
    ...some('replayGainTrackGain', track.trackGainDb === undefined ? undefined : `${track.trackGainDb.toFixed(2)} dB`),
    ...some('lyrics', track.lyrics.length > 0 ? track.lyrics.join('\n') : undefined),
  };
};
