import { Rejection } from '@continuo/contracts';

/** The state in which a file was recorded, or is found; the digest is of all that is recorded of it. */
export interface FileState {
  readonly digest: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** Room for the files of one event, bytes: the log takes 512 KiB, the name tables need some of it. */
const MAX_FILES_BYTES = 300 * 1024;

/** True when a file is as it was recorded. */
export const isSameState = (known: FileState, found: FileState): boolean =>
  known.digest === found.digest && known.sizeBytes === found.sizeBytes && known.mtimeMs === found.mtimeMs;

/** The next of the ids that a command brought. @throws Rejection `conflict` when it brought too few */
export const takeId = <Id>(fresh: IterableIterator<Id>): Id => {
  const next = fresh.next();
  // Counted on an older state: another command has taken files away since. Whoever sent this one sends it again.
  if (next.done) throw new Rejection('conflict', 'the folder has changed since its new files were counted');
  return next.value;
};

/** Cuts files into runs whose JSON stays under the event size limit; a single larger one stands alone. */
export const splitBySize = <File>(files: readonly File[]): File[][] => {
  const runs: File[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    // UTF-16 length underestimates non-Latin text at most threefold; a rough bound is enough here.
    const size = JSON.stringify(file).length * 1.5;
    if (bytes + size > MAX_FILES_BYTES) {
      runs.push([]);
      bytes = 0;
    }
    runs.at(-1)?.push(file);
    bytes += size;
  }
  return runs;
};

/** Reads an entry by a name that came from a disk: a file may be called like a property that every object inherits. */
export const own = <T>(entries: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined;

/** The entries but for some names. */
export const without = <T>(entries: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> => {
  const gone = new Set(names);
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !gone.has(name)));
};
