import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syntheticLibrary, type LibraryShape, type SyntheticAlbum, type SyntheticTrack } from '../synthetic/library.js';
import { fileFormats, type FormatName } from './formats.js';
import { ManifestBuilder, type Manifest } from './manifest.js';
import { albumFolder, trackStem } from './paths.js';
import { makeSeeds, withComment, type Seeds } from './seed-files.js';
import { tagsOf, tagWriter, type TagWriter } from './tag-writer.js';

/** Options of generating files. */
export interface GenerateFiles {
  /** Root folder; made if it is missing. */
  readonly out: string;
  /** Number of media files. */
  readonly count: number;
  readonly formats: readonly FormatName[];
  readonly seed: number;
  /** Puts every file into the root folder itself. */
  readonly flat: boolean;
  readonly shape?: LibraryShape;
}

interface Job extends GenerateFiles {
  readonly seeds: Seeds;
  readonly writer: TagWriter;
  readonly manifest: ManifestBuilder;
  readonly onAlbum: (songs: number) => void;
}

/**
 * Writes a folder of tagged media files, the same for the same options, and `manifest.json` beside it (`<out>.manifest.json`), which says what a
 * scan must find. Every album is in one format, the formats take turns.
 * @param onAlbum called with the number of files written for each album
 * @throws Error when ffmpeg is missing or a file cannot be written.
 */
export const generateFiles = async (options: GenerateFiles, onAlbum: (songs: number) => void = () => undefined): Promise<Manifest> => {
  const manifest = new ManifestBuilder();
  const job: Job = { ...options, seeds: await makeSeeds(options.formats), writer: await tagWriter(), manifest, onAlbum };
  const library = syntheticLibrary(options.count, options.seed, options.shape);
  for (let number = 0; number < library.albums; number += 1) await writeAlbum(job, library.album(number));
  const result = manifest.build(options.seed, options.flat ? 1 : library.albums);
  await writeFile(`${options.out}.manifest.json`, `${JSON.stringify(result, null, 2)}\n`);
  return result;
};

const writeAlbum = async (job: Job, album: SyntheticAlbum): Promise<void> => {
  const format = job.formats[album.number % job.formats.length] ?? 'mp3';
  const folder = job.flat ? job.out : join(job.out, albumFolder(album));
  await mkdir(folder, { recursive: true });
  const picture = job.seeds.covers[album.number % job.seeds.covers.length];
  const cover = picture && withComment(picture, `album ${album.number} of seed ${job.seed}`);
  const embedded = album.art === 'embedded' && fileFormats[format].embedsArt ? cover : undefined;
  await Promise.all(album.tracks.map((track) => writeTrack(job, { album, track, format, folder, cover: embedded })));
  if (cover && !embedded && album.art !== 'none' && !job.flat) {
    await writeFile(join(folder, 'cover.jpg'), cover);
    job.manifest.folderCover();
  }
  job.onAlbum(album.tracks.length);
};

interface TrackPlan {
  readonly album: SyntheticAlbum;
  readonly track: SyntheticTrack;
  readonly format: FormatName;
  readonly folder: string;
  readonly cover: Uint8Array | undefined;
}

const writeTrack = async (job: Job, plan: TrackPlan): Promise<void> => {
  const { album, track, format, folder, cover } = plan;
  const seed = job.seeds.sound.get(format);
  if (!seed) throw new Error(`no seed for ${format}`);
  // Every other text goes into a file of its own, as players keep it.
  const lyricsFile = track.lyrics.length > 0 && track.track % 2 === 0;
  const { lyrics, ...others } = tagsOf(album, track, format);
  const bytes = await job.writer.write(seed, lyrics && !lyricsFile ? { ...others, lyrics } : others, cover);
  const stem = job.flat ? `${String(album.number).padStart(6, '0')}-${trackStem(album, track)}` : trackStem(album, track);
  await writeFile(join(folder, `${stem}.${fileFormats[format].suffix}`), bytes);
  if (lyricsFile) await writeFile(join(folder, `${stem}.lrc`), timedLyrics(track.lyrics));
  job.manifest.track({ album, track, format, sizeBytes: bytes.byteLength, embeddedArt: cover !== undefined, lyricsFile });
};

/** Lines two seconds apart. */
const timedLyrics = (lines: readonly string[]): string =>
  lines.map((line, n) => `[${String(Math.floor(n / 30)).padStart(2, '0')}:${String((n * 2) % 60).padStart(2, '0')}.00]${line}\n`).join('');
