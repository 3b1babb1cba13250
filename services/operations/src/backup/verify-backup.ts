import { gapBetween, sizeOf, without } from '@continuo/chassis';
import { counted } from '../output/numbers.js';
import { faultOf } from './format/files.js';
import { readManifest, type Manifest, type StreamEntry } from './format/manifest.js';
import { readVerification, writeVerification } from './format/verification.js';
import { pictureFaults } from './pictures/pictures.js';
import type { Report } from './report.js';
import { tryTables } from './restore/try-tables.js';
import { EVENT_STREAMS } from './streams/known-streams.js';
import { readIndex } from './streams/message-index.js';
import { acceptedLossOf } from './streams/require-whole-log.js';
import { filesOf } from './take-backup.js';

/** Faults that are told one by one; what is behind is counted. */
const TOLD = 20;

const orderFaults = async (folder: string, entry: StreamEntry): Promise<string[]> => {
  const { name, state, index } = entry;
  if (!index) return EVENT_STREAMS.includes(name) ? [`${name} has no index of its messages`] : [];
  const faults: string[] = [];
  const lost = acceptedLossOf(entry);
  const isLost = (position: number): boolean => lost.some(({ from, to }) => from <= position && position <= to);
  let [count, before] = [0, 0];
  let open: { id: string; place: number } | undefined;
  for await (const { position, batch } of readIndex(folder, index)) {
    count += 1;
    // Nothing is ever deleted from the log. What was lost may have been part of a batch.
    const missing = before > 0 ? without(gapBetween(before, position), lost) : [];
    faults.push(...missing.map(({ from, to }) => `${name} lacks positions ${from} to ${to}`));
    if (open && !isLost(before + 1) && (batch?.id !== open.id || batch.place !== open.place + 1))
      faults.push(`${name} holds a batch in part, before position ${position}`);
    if (batch && !isLost(position - 1) && open?.id !== batch.id && batch.place !== 1)
      faults.push(`${name} holds a batch without its beginning, at position ${position}`);
    open = batch && !batch.isLast ? batch : undefined;
    before = position;
  }
  if (open && !isLost(before + 1)) faults.push(`${name} ends within a batch`);
  // The server goes on counting what it cannot read.
  const fewest = state.messages - sizeOf(lost);
  const isWholeEnd = before <= state.last_seq && without(gapBetween(before, state.last_seq + 1), lost).length === 0;
  if (count < fewest || count > state.messages || !isWholeEnd)
    faults.push(`${name} names ${count} messages up to ${before}, not ${state.messages} up to ${state.last_seq}`);
  return faults;
};

const streamFaults = async (folder: string, manifest: Manifest): Promise<string[]> => {
  const faults: string[] = [];
  for (const name of EVENT_STREAMS) if (!manifest.streams.some((stream) => stream.name === name)) faults.push(`${name} is missing`);
  for (const stream of manifest.streams) faults.push(...(await orderFaults(folder, stream)));
  return faults;
};

const checkpointFaults = ({ database, streams }: Manifest): string[] => {
  const ends = new Map(streams.map(({ name, state }) => [name, state.last_seq]));
  return (database?.checkpoints ?? []).flatMap(({ name, stream, position }) => {
    const end = ends.get(stream) ?? 0;
    return position > end ? [`the tables of ${name} are at position ${position}, behind the end of ${stream} (${end})`] : [];
  });
};

/** Files that are not as they were written. */
export const damagedFiles = async (folder: string, manifest: Manifest, moving: (text: string) => void): Promise<string[]> => {
  const files = filesOf(manifest);
  const faults: string[] = [];
  for (const [index, file] of files.entries()) {
    moving(`Files: ${index} of ${files.length}`);
    const fault = await faultOf(folder, file);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
};

/** Errors of folders that cannot be written to, such as those of a medium that is only read. */
const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM']);

const keepOutcome = async (
  folder: string,
  { faults, isRestored }: { readonly faults: readonly string[]; readonly isRestored: boolean },
  report: Report,
): Promise<void> => {
  try {
    const at = new Date().toISOString();
    const tablesRestoredAt = isRestored ? at : ((await readVerification(folder))?.tablesRestoredAt ?? null);
    await writeVerification(folder, { at, faults: [...faults], tablesRestoredAt });
  } catch (error) {
    if (!READ_ONLY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    report.note(`The outcome is not kept with the backup: ${folder} cannot be written to.`);
  }
};

/**
 * Whether a backup would do: files, order of the log, tables that are not ahead of it, pictures. Answers what is wrong, a sentence each, and keeps that with the
 * backup.
 * @param databaseUrl of the server beside whose database the tables are restored for a test; absent for no such test
 * @throws OperatorError when the folder is no backup, and as {@link tryTables}
 */
export const verifyBackup = async (folder: string, report: Report, databaseUrl?: string): Promise<readonly string[]> => {
  const manifest = await readManifest(folder);
  const faults = await damagedFiles(folder, manifest, report.moving);
  report.done('Files', `${counted(filesOf(manifest).length, 'file')} read`);
  // The content of a damaged file is not judged.
  if (faults.length === 0) faults.push(...(await streamFaults(folder, manifest)), ...checkpointFaults(manifest));
  report.done('Streams', 'order looked through');
  if (manifest.pictures && faults.length === 0) {
    for await (const fault of pictureFaults(folder, manifest.pictures)) faults.push(fault);
    report.done('Pictures', `${counted(manifest.pictures.count, 'picture')} read`);
  }
  const tables = databaseUrl === undefined || faults.length > 0 ? undefined : manifest.database;
  if (databaseUrl !== undefined && tables) {
    faults.push(
      ...(await tryTables(databaseUrl, folder, tables, (done, of, table) => report.moving(`Tables: ${done} of ${of}, ${table}`))),
    );
    report.done('Tables', `${counted(tables.tables.length, 'table')} restored for a test`);
  }
  const told = faults.length > TOLD ? [...faults.slice(0, TOLD), `and ${faults.length - TOLD} more`] : faults;
  await keepOutcome(folder, { faults: told, isRestored: tables !== undefined && faults.length === 0 }, report);
  const verdict =
    faults.length === 0
      ? `The backup of ${manifest.startedAt} is whole.`
      : `The backup of ${manifest.startedAt} is damaged: do not rely on it.`;
  report.end([...told.map((fault) => `${fault}.`), verdict], { folder, startedAt: manifest.startedAt, whole: faults.length === 0, faults });
  return faults;
};
