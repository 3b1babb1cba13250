import { rm } from 'node:fs/promises';
import { LocalServerError } from '../error.js';
import { readIfPresent, writePrivate } from '../files.js';
import { processIdentity } from './process-table.js';

/** A note beside a data folder that names the process using it. */
export interface Ownership {
  readonly release: () => Promise<void>;
}

// Folders held by this very process: their note names us, which alone would look like a left-over.
const held = new Set<string>();

/**
 * Notes this process as the user of a data folder.
 * A note whose process is gone is a left-over of a crash and is replaced.
 * @param dataDir absolute path; the note lies beside it as `<dataDir>.owner`
 * @throws LocalServerError when a living process, this one included, uses the folder
 */
export async function claim(dataDir: string): Promise<Ownership> {
  const note = `${dataDir}.owner`;
  if (held.has(dataDir)) throw new LocalServerError(`${dataDir} is in use by a server of this process`);
  const known = (await readIfPresent(note))?.trim();
  const mine = await processIdentity(process.pid);
  if (known && known !== mine && (await processIdentity(Number.parseInt(known, 10))) === known) {
    throw new LocalServerError(`${dataDir} is in use by process ${Number.parseInt(known, 10)}; stop it first or choose another folder`);
  }
  await writePrivate(note, `${mine ?? process.pid}\n`);
  held.add(dataDir);
  return {
    release: async () => {
      // Only once: after that the note may be another process's.
      if (!held.delete(dataDir)) return;
      await rm(note, { force: true });
    },
  };
}
