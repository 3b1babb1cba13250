import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import { stat } from 'node:fs/promises';
import { PRIVATE_FILE } from './format/files.js';
import { MANIFEST, readManifest, type Manifest } from './format/manifest.js';
import { pictureFiles } from './pictures/pictures.js';
import { filesOf } from './take-backup.js';

interface BackupFile {
  /** Relative to the folder of the backup. */
  readonly path: string;
  readonly sizeBytes: number;
}

async function* filesIn(folder: string, manifest: Manifest): AsyncGenerator<BackupFile> {
  yield* filesOf(manifest);
  if (manifest.pictures) yield* pictureFiles(folder, manifest.pictures);
  // Last, as it was written: an archive that was cut off unpacks to a folder that is no backup.
  yield { path: MANIFEST, sizeBytes: (await stat(join(folder, MANIFEST))).size };
}

const fill = async (archive: Pack, folder: string, manifest: Manifest): Promise<void> => {
  const mtime = new Date(manifest.finishedAt);
  for await (const { path, sizeBytes } of filesIn(folder, manifest)) {
    const entry = archive.entry({ name: `${basename(folder)}/${path}`, size: sizeBytes, mode: PRIVATE_FILE, mtime });
    // A file of another size than the manifest says fails the entry.
    await pipeline(createReadStream(join(folder, path)), entry);
  }
  archive.finalize();
};

/**
 * Opens a backup as one tar stream, which is made while it is read. A file that is gone or cut off fails the stream.
 * @throws OperatorError when the folder is no backup
 */
export const openBackupArchive = async (folder: string): Promise<Readable> => {
  const manifest = await readManifest(folder);
  const archive = pack();
  fill(archive, folder, manifest).catch((error: unknown) => archive.destroy(error as Error));
  return Readable.from(archive, { objectMode: false });
};
