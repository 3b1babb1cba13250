import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, mkdir, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { linesOf, PRIVATE_FOLDER, syncPath, writeCompressed } from '../format/files.js';
import type { Manifest } from '../format/manifest.js';

/** Pictures are files that are called what their SHA-256 is, in folders by its first two digits. */
const NAME = /^[0-9a-f]{64}$/;
const FOLDER = /^[0-9a-f]{2}$/;
const PICTURES = 'art';
const LIST = 'pictures.txt.zst';

type Pictures = NonNullable<Manifest['pictures']>;

const placeOf = (folder: string, hash: string): string => join(folder, PICTURES, hash.slice(0, 2), hash);

/** The pictures of a data folder; none when it has no folder for them. */
async function* picturesIn(folder: string): AsyncGenerator<string> {
  const parts = await opendir(join(folder, PICTURES)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  for await (const part of parts) {
    if (!FOLDER.test(part.name)) continue;
    // Names that begin with a dot are pictures that are being written.
    for await (const file of await opendir(join(folder, PICTURES, part.name))) if (NAME.test(file.name)) yield file.name;
  }
}

/** Shares the bytes with `from` where the file system can, copies them where it cannot; whole under its name, or not at all. */
const bring = async (from: string, to: string, share: boolean): Promise<void> => {
  const folder = dirname(to);
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    if (
      !share ||
      !(await link(from, temporary).then(
        () => true,
        () => false,
      ))
    )
      await copyFile(from, temporary, constants.COPYFILE_FICLONE);
    await syncPath(temporary);
    await rename(temporary, to);
  } finally {
    await rm(temporary, { force: true });
  }
};

/** Folders of backing up or restoring pictures. */
export interface PictureWork {
  readonly dataFolder: string;
  readonly backup: string;
  /** An earlier backup: pictures that it has are not stored twice, where both lie on one file system. */
  readonly earlier?: string | undefined;
}

async function* copied(
  { dataFolder, backup, earlier }: PictureWork,
  total: { count: number; sizeBytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const hash of picturesIn(dataFolder)) {
    const source = placeOf(dataFolder, hash);
    const { size } = await stat(source);
    const known = earlier === undefined ? undefined : await stat(placeOf(earlier, hash)).catch(() => undefined);
    const isKnown = known?.size === size;
    await bring(isKnown && earlier !== undefined ? placeOf(earlier, hash) : source, placeOf(backup, hash), isKnown);
    total.count += 1;
    total.sizeBytes += size;
    yield Buffer.from(`${hash}\t${size}\n`);
  }
}

/** Copies all pictures into the backup. They never change: one that is made meanwhile is there or not, never in part. */
export const backupPictures = async (work: PictureWork): Promise<Pictures> => {
  const total = { count: 0, sizeBytes: 0 };
  const list = await writeCompressed(work.backup, LIST, copied(work, total));
  return { ...total, list };
};

/** Brings back the pictures that the data folder lacks; answers how many. */
export const restorePictures = async ({ dataFolder, backup }: PictureWork, pictures: Pictures): Promise<number> => {
  let brought = 0;
  for await (const line of linesOf(backup, pictures.list)) {
    const [hash = '', size] = line.split('\t');
    if (!NAME.test(hash)) throw new Error(`${pictures.list.path} holds something else than pictures`);
    const place = placeOf(dataFolder, hash);
    if ((await stat(place).catch(() => undefined))?.size === Number(size)) continue;
    await bring(placeOf(backup, hash), place, false);
    brought += 1;
  }
  return brought;
};

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/** Faults of the pictures of a backup, a sentence each. */
export async function* pictureFaults(backup: string, pictures: Pictures): AsyncGenerator<string> {
  let count = 0;
  for await (const line of linesOf(backup, pictures.list)) {
    const [hash = ''] = line.split('\t');
    count += 1;
    const found = NAME.test(hash) ? await digestOf(placeOf(backup, hash)).catch(() => 'absent') : 'no picture';
    if (found !== hash) yield `picture ${hash} ${found === 'absent' ? 'is missing' : 'has been changed'}`;
  }
  if (count !== pictures.count) yield `${pictures.list.path} names ${count} pictures instead of ${pictures.count}`;
}
