import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonOf } from '@continuo/chassis';
import { z } from 'zod';
import { PRIVATE_FILE, writeWhole } from './files.js';

/** File beside the manifest; no part of what is verified, restored or downloaded. */
const VERIFICATION = 'verification.json';

const verificationSchema = z.object({
  at: z.iso.datetime(),
  /** Sentences; empty for a backup without fault. */
  faults: z.array(z.string()),
  /** When the tables were last restored into a database for a test, without fault; null for never. */
  tablesRestoredAt: z.iso.datetime().nullable(),
});
/** The last verification of a backup: its end and what it found. */
export type Verification = z.infer<typeof verificationSchema>;

/** Keeps the outcome of a verification in the folder of its backup, in place of the one before. */
export const writeVerification = (folder: string, verification: Verification): Promise<void> =>
  writeWhole(join(folder, VERIFICATION), (temporary) => writeFile(temporary, JSON.stringify(verification), { mode: PRIVATE_FILE }));

/** The last verification of a backup; null for one that was never verified. */
export const readVerification = async (folder: string): Promise<Verification | null> => {
  const text = await readFile(join(folder, VERIFICATION), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  // A damaged file tells nothing; the next verification replaces it.
  return verificationSchema.safeParse(jsonOf(text)).data ?? null;
};
