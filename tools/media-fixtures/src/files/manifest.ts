import type { SyntheticAlbum, SyntheticTrack } from '../synthetic/library.js';
import type { FormatName } from './formats.js';
import { tagsOf } from './tag-writer.js';

/** Expected result of a scan of a generated folder. */
export interface Manifest {
  readonly seed: number;
  /** Media files, which equals songs. */
  readonly songs: number;
  readonly byFormat: Readonly<Record<string, number>>;
  /** Folders that hold media files. */
  readonly folders: number;
  readonly albums: number;
  /** Different names among the artists and album artists of all tracks. */
  readonly artists: number;
  readonly genres: number;
  readonly songsWithLyrics: number;
  readonly lyricsFiles: number;
  readonly songsWithEmbeddedArt: number;
  readonly folderCovers: number;
  /** Media files in bytes, together. */
  readonly sizeBytes: number;
}

/** Written file of one track. */
export interface WrittenTrack {
  readonly album: SyntheticAlbum;
  readonly track: SyntheticTrack;
  readonly format: FormatName;
  readonly sizeBytes: number;
  readonly embeddedArt: boolean;
  readonly lyricsFile: boolean;
}

/** Adds the written tracks up to a {@link Manifest}. */
export class ManifestBuilder {
  readonly #albums = new Set<number>();
  readonly #artists = new Set<string>();
  readonly #genres = new Set<string>();
  readonly #byFormat: Record<string, number> = {};
  #songs = 0;
  #songsWithLyrics = 0;
  #lyricsFiles = 0;
  #songsWithEmbeddedArt = 0;
  #folderCovers = 0;
  #sizeBytes = 0;

  track(written: WrittenTrack): void {
    const { album, track, format } = written;
    const tags = tagsOf(album, track, format);
    for (const name of [...(tags['artist'] ?? []), ...(tags['albumArtist'] ?? [])]) this.#artists.add(name);
    for (const name of tags['genre'] ?? []) this.#genres.add(name);
    this.#albums.add(album.number);
    this.#byFormat[format] = (this.#byFormat[format] ?? 0) + 1;
    this.#songs += 1;
    this.#songsWithLyrics += track.lyrics.length > 0 ? 1 : 0;
    this.#lyricsFiles += written.lyricsFile ? 1 : 0;
    this.#songsWithEmbeddedArt += written.embeddedArt ? 1 : 0;
    this.#sizeBytes += written.sizeBytes;
  }

  folderCover(): void {
    this.#folderCovers += 1;
  }

  /** @param folders how many folders hold media files */
  build(seed: number, folders: number): Manifest {
    return {
      seed,
      songs: this.#songs,
      byFormat: this.#byFormat,
      folders,
      albums: this.#albums.size,
      artists: this.#artists.size,
      genres: this.#genres.size,
      songsWithLyrics: this.#songsWithLyrics,
      lyricsFiles: this.#lyricsFiles,
      songsWithEmbeddedArt: this.#songsWithEmbeddedArt,
      folderCovers: this.#folderCovers,
      sizeBytes: this.#sizeBytes,
    };
  }
}
