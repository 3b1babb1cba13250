import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { copyFile, link, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LocalArtStore, type ArtStore } from '@continuo/media-store';
import { hasArt } from '../../art/has-art.js';
import { linesOf, writeCompressed, writeWhole } from '../format/files.js';
import type { Manifest } from '../format/manifest.js';

/** Pictures are files that are called what their SHA-256 is, in folders by its first two digits. */
const NAME = /^[0-9a-f]{64}$/;
const PICTURES = 'art';
const LIST = 'pictures.txt.zst';

type Pictures = NonNullable<Manifest['pictures']>;

const placeOf = (folder: string, hash: string): string => join(folder, PICTURES, hash.slice(0, 2), hash);

/** The files of the pictures of a backup, relative to its folder. */
export async function* pictureFiles(
  backup: string,
  pictures: Pictures,
): AsyncGenerator<{ readonly path: string; readonly sizeBytes: number }> {
  for await (const line of linesOf(backup, pictures.list)) {
    const [hash = '', size] = line.split('\t');
    if (!NAME.test(hash)) throw new Error(`${pictures.list.path} holds something else than pictures`);
    yield { path: placeOf('', hash), sizeBytes: Number(size) };
  }
}

/** Shares the bytes of an earlier backup where the file system can, copies them where it cannot. */
const share = (from: string, to: string): Promise<void> =>
  writeWhole(to, (temporary) => link(from, temporary).catch(() => copyFile(from, temporary, constants.COPYFILE_FICLONE)));

const bring = (store: ArtStore, hash: string, to: string): Promise<void> =>
  writeWhole(to, async (temporary) =>
    store instanceof LocalArtStore
      ? copyFile(store.pathOf(hash), temporary, constants.COPYFILE_FICLONE)
      : pipeline(await store.open(hash), createWriteStream(temporary, { flags: 'wx' })),
  );

/** Folder of a backup, and the pictures that are brought into it. */
export interface PictureBackup {
  readonly store: ArtStore;
  readonly backup: string;
  /** An earlier backup: pictures that it has are not stored twice, where both lie on one file system. */
  readonly earlier?: string | undefined;
}

async function* copied({ store, backup, earlier }: PictureBackup, total: { count: number; sizeBytes: number }): AsyncGenerator<Uint8Array> {
  for await (const { hash, sizeBytes } of store.list()) {
    const known = earlier === undefined ? undefined : await stat(placeOf(earlier, hash)).catch(() => undefined);
    if (earlier !== undefined && known?.size === sizeBytes) await share(placeOf(earlier, hash), placeOf(backup, hash));
    else await bring(store, hash, placeOf(backup, hash));
    total.count += 1;
    total.sizeBytes += sizeBytes;
    yield Buffer.from(`${hash}\t${sizeBytes}\n`);
  }
}

/** Copies all pictures into the backup. They never change: one that is made meanwhile is there or not, never in part. */
export const backupPictures = async (work: PictureBackup): Promise<Pictures> => {
  const total = { count: 0, sizeBytes: 0 };
  const list = await writeCompressed(work.backup, LIST, copied(work, total));
  return { ...total, list };
};

/** Brings back the pictures that the store lacks; answers how many. */
export const restorePictures = async ({ store, backup }: Pick<PictureBackup, 'store' | 'backup'>, pictures: Pictures): Promise<number> => {
  let brought = 0;
  for await (const line of linesOf(backup, pictures.list)) {
    const [hash = '', size] = line.split('\t');
    if (!NAME.test(hash)) throw new Error(`${pictures.list.path} holds something else than pictures`);
    if (await hasArt(store, { hash, sizeBytes: Number(size) })) continue;
    if ((await store.put(await readFile(placeOf(backup, hash)))) !== hash) throw new Error(`picture ${hash} of the backup is damaged`);
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
