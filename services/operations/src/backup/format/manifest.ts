import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../connect/operator-error.js';
import { fileEntrySchema, PRIVATE_FILE, syncPath } from './files.js';

/** The layout of backups that this release writes; raised when an older release could not read it. */
export const BACKUP_FORMAT = 1;
/** Name of the manifest in the folder of a backup. */
export const MANIFEST = 'manifest.json';

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int().nonnegative(),
  file: fileEntrySchema,
});
export type TableEntry = z.infer<typeof tableSchema>;

const checkpointSchema = z.object({
  name: z.string(),
  version: z.int(),
  generation: z.int(),
  state: z.string(),
  stream: z.string(),
  position: z.int().nonnegative(),
});
export type CheckpointEntry = z.infer<typeof checkpointSchema>;

const databaseSchema = z.object({
  /** Of the server that it was read from, such as `18.4`. */
  version: z.string(),
  definitions: fileEntrySchema,
  tables: z.array(tableSchema),
  checkpoints: z.array(checkpointSchema),
});
export type DatabaseEntry = z.infer<typeof databaseSchema>;

const stateSchema = z.looseObject({
  messages: z.int().nonnegative(),
  first_seq: z.int().nonnegative(),
  last_seq: z.int().nonnegative(),
});

const streamSchema = z.object({
  name: z.string(),
  /** As the server has it. */
  config: z.looseObject({ name: z.string() }),
  state: stateSchema,
  /** Snapshot as the server sent it. */
  snapshot: fileEntrySchema,
  /** Position, time and batch of every message; of event streams only. */
  index: fileEntrySchema.optional(),
  /** Lasting consumers and how far each was before the first stream was read. */
  consumers: z.array(z.object({ config: z.looseObject({ durable_name: z.string() }), ackFloor: z.int().nonnegative() })),
});
export type StreamEntry = z.infer<typeof streamSchema>;

const manifestSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** Made up for this backup. */
  id: z.string(),
  product: z.object({ name: z.literal('continuo'), version: z.string() }),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** Tells whether a secret is that of the server, without telling the secret. */
  secret: z.object({ salt: z.string(), check: z.string() }),
  /** The newest version of every type of event that the writing release knew. */
  events: z.record(z.string(), z.int()),
  nats: z.string(),
  /** Absent when tables were left out: they are filled from the log then. */
  database: databaseSchema.optional(),
  streams: z.array(streamSchema).min(1),
  /** Absent when pictures were left out. */
  pictures: z.object({ count: z.int().nonnegative(), sizeBytes: z.int().nonnegative(), list: fileEntrySchema }).optional(),
  /** Numbers of accounts whose key of personal data had been destroyed by then. */
  deletedAccounts: z.array(z.int()),
});
/** Manifest of a backup; written last, so that a folder without it is no backup. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Writes the manifest: from then on the folder is a backup. */
export const writeManifest = async (folder: string, manifest: Manifest): Promise<void> => {
  const path = join(folder, MANIFEST);
  await writeFile(`${path}.new`, JSON.stringify(manifestSchema.parse(manifest), null, 1), { mode: PRIVATE_FILE, flush: true });
  await rename(`${path}.new`, path);
  await syncPath(folder);
};

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Reads what a backup says of itself.
 * @throws OperatorError when the folder is no backup, an unfinished one, or one of a newer release
 */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((cause: unknown) => {
    if (!isAbsent(cause)) throw cause;
    throw new OperatorError(
      `${folder} is no backup, or one that was not finished: there is no ${MANIFEST} in it`,
      'take a folder that "continuo backup" has written to the end',
      { cause },
    );
  });
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (cause) {
    throw new OperatorError(`${join(folder, MANIFEST)} is damaged`, 'take another backup', { cause });
  }
  const format = z.object({ format: z.int() }).safeParse(said).data?.format;
  if (format !== undefined && format > BACKUP_FORMAT)
    throw new OperatorError(`${folder} was written by a newer release (format ${format})`, 'restore it with that release, or a newer one');
  const parsed = manifestSchema.safeParse(said);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.slice(0, 3).map((issue) => issue.path.join('.') || 'the whole');
  throw new OperatorError(`${join(folder, MANIFEST)} is damaged (${fields.join(', ')})`, 'take another backup');
};
