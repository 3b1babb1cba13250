import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { OperatorError } from '@continuo/operations';
import { z } from 'zod';

const contextSchema = z.object({
  /** Base URL of the server. */
  server: z.url(),
  /** API key of an administrator there. */
  key: z.string().min(1),
});
const fileSchema = z.object({
  current: z.string().nullable(),
  contexts: z.record(z.string(), contextSchema),
});

/** All saved servers by name; `current` is what commands use that name none. */
export type SavedContexts = z.infer<typeof fileSchema>;

const NONE: SavedContexts = { current: null, contexts: {} };
/** Keys are for the eyes of the account that saved them. */
const OWNER_ONLY = 0o600;

/** File of saved servers: under `XDG_CONFIG_HOME`, else in the home folder. */
export const contextsFileOf = (env: Readonly<Record<string, string | undefined>>): string =>
  join(env['XDG_CONFIG_HOME'] ?? join(env['HOME'] ?? homedir(), '.config'), 'continuo', 'contexts.json');

/** Reads the saved servers; none when there is no file. @throws OperatorError for a file that is something else */
export const readContexts = async (file: string): Promise<SavedContexts> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) return NONE;
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError(`${file} does not hold saved servers`, 'remove it, and add them again with "continuo context add"', { cause });
  }
};

/** Writes the saved servers, whole or not at all, readable by this account only. */
export const writeContexts = async (file: string, saved: SavedContexts): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(saved, undefined, 2)}\n`, { mode: OWNER_ONLY });
  await rename(draft, file);
};
