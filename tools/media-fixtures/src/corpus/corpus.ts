import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CorpusCase, Materials } from './cases/case.js';
import { cueCases } from './cases/cue.js';
import { encodingCases } from './cases/encodings.js';
import { folderCases } from './cases/folders.js';
import { particularCases } from './cases/particular.js';
import { soundCases } from './cases/sounds.js';
import { taggedCases } from './cases/tagged.js';
import type { ExpectedSong } from './expected.js';
import { makePictures } from './pictures.js';
import { makeSounds } from './sounds.js';
import { type ExpectedSound } from './sound.js';

/** A song that a scan must find. */
export interface ManifestSong {
  /** Path below the corpus; of a song that shares its file with others with `#` and its number. */
  readonly path: string;
  readonly row: string;
  readonly song: ExpectedSong;
  readonly sound: ExpectedSound;
  readonly sizeBytes: number;
  /** True when any decoder can play the file. */
  readonly plays: boolean;
}

/** Expected result of a scan of the corpus. */
export interface CorpusManifest {
  readonly songs: readonly ManifestSong[];
  readonly skipped: readonly { readonly path: string; readonly reason: string; readonly row: string }[];
  /** Files of all kinds. */
  readonly files: number;
}

const families: readonly ((materials: Materials) => CorpusCase[])[] = [
  soundCases,
  taggedCases,
  encodingCases,
  particularCases,
  folderCases,
  cueCases,
];

/**
 * Writes a folder of media files that show each thing which a file can say, and tells what must become of every one of them. The same each time for the same
 * ffmpeg. @throws Error when ffmpeg is missing
 */
export const generateCorpus = async (out: string): Promise<CorpusManifest> => {
  const materials: Materials = { sounds: await makeSounds(), pictures: await makePictures() };
  const cases = families.flatMap((family) => family(materials));
  const files = cases.flatMap((one) => one.files);
  for (const { path, bytes } of files) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), bytes);
  }
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes.length]));
  const songs = cases.flatMap(({ row, songs: list }) =>
    list.map(({ path, sound: name, song, part }) => {
      const sound = materials.sounds.get(name);
      if (!sound) throw new Error(`no sound ${name}`);
      const whole = { row, song, sound: sound.expected, plays: sound.plays };
      const sizeBytes = sizes.get(path) ?? 0;
      if (!part) return { path, ...whole, sizeBytes };
      const share = Math.round((sizeBytes * part.lengthMs) / sound.expected.durationMs);
      return { ...whole, path: `${path}#${part.number}`, sound: { ...sound.expected, durationMs: part.lengthMs }, sizeBytes: share };
    }),
  );
  const skipped = cases.flatMap(({ row, skipped: list = [] }) => list.map((one) => ({ ...one, row })));
  return { songs, skipped, files: files.length };
};
