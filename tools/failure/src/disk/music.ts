import { link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { fileFormats, formatNames, generateFiles } from '@continuo/media-fixtures';

/** One media file of a folder, and what its name says of its tags. */
export interface MediaFile {
  /** Relative to the root, `/` between segments. */
  readonly path: string;
  /** Title, as far as a file name can hold it: see {@link fileNameOf}. */
  readonly title: string;
  readonly sizeBytes: number;
  /** Set when another file was put in its place. */
  readonly isReplaced?: boolean;
}

const suffixes = new Set<string>(Object.values(fileFormats).map(({ suffix }) => `.${suffix}`));

/**
 * Makes a folder of tagged media files in all formats, or takes the one that an earlier run made for the same options.
 * @throws Error when ffmpeg is missing
 */
export const makeMusic = async (folder: string, count: number, seed: number): Promise<string> => {
  const out = join(folder, `music-${count}-${seed}`);
  // The generator writes the manifest last: a folder without one was not finished.
  if (await exists(`${out}.manifest.json`)) return out;
  await rm(out, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await generateFiles({ out, count, formats: formatNames, seed, flat: false });
  return out;
};

/** A second folder with the same files: hard links, so that it takes no space and no time. */
export const linkedCopy = async (from: string, to: string): Promise<string> => {
  for (const file of await allFiles(from)) {
    const target = join(to, relative(from, file));
    await mkdir(dirname(target), { recursive: true });
    await link(file, target);
  }
  return to;
};

/** The media files below a root. The generator calls a file `[disk-]number - title.suffix`. */
export const mediaFiles = async (root: string): Promise<MediaFile[]> => {
  const files = (await allFiles(root)).filter((file) => suffixes.has(extname(file)));
  return Promise.all(
    files.map(async (file) => ({
      path: relative(root, file).split(sep).join('/'),
      title: basename(file, extname(file)).replace(/^(\d+-)?\d+ - /, ''),
      sizeBytes: (await stat(file)).size,
    })),
  );
};

/** A title in the form in which the generator puts it into a file name. */
export const fileNameOf = (title: string): string => title.replaceAll(/[<>:"/\\|?*\p{Cc}]/gu, '_').slice(0, 80);

const allFiles = async (root: string): Promise<string[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
};
