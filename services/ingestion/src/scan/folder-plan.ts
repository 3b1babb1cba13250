import type { FileTable, FileToRead, FolderId, FolderPlan, ScanMode, SidecarFile, SkippedFile } from '@continuo/contracts';
import { discOfFolder } from '../tags/file-name.js';
import { fileOfName, isPartName } from '../tags/part-name.js';
import { isCueName, stemOf } from '../walk/file-kinds.js';
import type { DiskFile, WalkedFolder } from '../walk/walked-folder.js';
import { likelyPictures, type PictureNames } from './picture-names.js';

/** One file as the library last recorded it. */
export type KnownFile = Pick<FileTable, 'name' | 'kind' | 'size_bytes' | 'mtime_ms' | 'skip_reason' | 'skip_message'>;

/** Folder as the library knows it. */
export interface KnownFolder {
  readonly folderId: FolderId;
  readonly files: ReadonlyMap<string, KnownFile>;
}

/** True for a file of the size and time at which the library recorded it. */
export const isUnchanged = ({ before, ...file }: FileToRead): boolean => before !== undefined && sameState(before, file);

/** Reasons that may pass without a change of size or time: such a file is tried again by every scan. */
const PASSING = new Set<string | null>(['unreadable', 'vanished']);
const sameState = (known: KnownFile, file: { sizeBytes: number; mtimeMs: number }): boolean =>
  known.size_bytes === file.sizeBytes && known.mtime_ms === file.mtimeMs;

/** Options of a comparison. */
export interface PlanOptions {
  readonly mode: ScanMode;
  /** The only files that are meant; without it all of the folder. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Name patterns of folder pictures; default: the usual names. */
  readonly pictures?: PictureNames | undefined;
}

/** Modes that read known files again whatever their size and time say. */
export const rereadsKnownFiles = (mode: ScanMode): boolean => mode === 'verify' || mode === 'update' || mode === 'art';
/** Modes that record what is gone. */
export const removes = (mode: ScanMode): boolean => mode === 'changes' || mode === 'update' || mode === 'clean';

/** True when a mode cares for a file. A new file matters to a clean-up because it may be one that seems to be gone. */
const concerns = (mode: ScanMode, before: KnownFile | undefined): boolean => {
  if (mode === 'add') return before?.kind !== 'track';
  if (mode === 'clean') return before === undefined;
  return mode === 'changes' || mode === 'update' || before !== undefined;
};

/** Compares a walked folder with what is known of it. Pure; a first scan has no known folder. */
export const planFolder = (
  walked: WalkedFolder,
  known: KnownFolder | undefined,
  { mode, only, pictures }: PlanOptions = { mode: 'changes' },
): FolderPlan => {
  const recorded = known?.files ?? new Map<string, KnownFile>();
  const files = byFile(recorded);
  if (walked.state !== 'listed') return unlistedPlan(walked, files, mode);
  const sidecars = sidecarsOf(walked, pictures);
  const changedSidecars = sidecarChanges(sidecars, files);
  const lyrics = Map.groupBy(
    sidecars.filter((file) => file.kind === 'lyrics'),
    (file) => stemOf(file.fileName),
  );
  const touched = touchedBy(walked, changedSidecars);
  const cutting = cuttingIn(walked, recorded);
  const read: FileToRead[] = [];
  const isMeant = (name: string): boolean => only?.has(name) ?? true;
  const skipped = newlySkipped(walked, files, mode).filter((entry) => isMeant(entry.fileName));
  const report: SkippedFile[] = walked.skipped.filter((entry) => isMeant(entry.fileName));
  for (const file of walked.media) {
    const before = files.get(file.name);
    if (!concerns(mode, before) || !isMeant(file.name)) continue;
    const same = before !== undefined && sameState(before, file) && !rereadsKnownFiles(mode);
    if (same && before.kind === 'skipped' && !PASSING.has(before.skip_reason)) report.push(knownSkip(file, before));
    else if (file.sizeBytes === 0) addEmpty(file, before, skipped, report);
    else if (!(same && before.kind === 'track' && !touched(file.name))) {
      const texts = (lyrics.get(stemOf(file.name)) ?? []).map((sidecar) => sidecar.fileName).filter((name) => !isCueName(name));
      read.push({ ...file, before, lyrics: texts, ...cutting(file.name) });
    }
  }
  const plan = { path: walked.path, read, skipped: mode === 'clean' ? [] : skipped, report, ...goneFrom(walked, recorded, { mode, only }) };
  // Pictures and words that cannot be looked at are not gone.
  const settled = mode !== 'clean' && (walked.unsure?.size ?? 0) === 0 && !hidesLyrics({ walked, files, touched, read });
  return settled && (changedSidecars.size > 0 || (rereadsKnownFiles(mode) && walked.media.length > 0)) ? { ...plan, sidecars } : plan;
};

/**
 * True when the companion files may not be recorded yet, because a song would miss its lyrics: what is recorded counts as read, and a known track whose
 * lyrics file changed is not among the files that are read now. A track that is gone misses nothing.
 */
const hidesLyrics = (folder: {
  readonly walked: WalkedFolder;
  readonly files: ReadonlyMap<string, KnownFile>;
  readonly touched: (name: string) => boolean;
  readonly read: readonly FileToRead[];
}): boolean => {
  const readNow = new Set(folder.read.map((file) => file.name));
  return folder.walked.media.some(({ name }) => folder.files.get(name)?.kind === 'track' && folder.touched(name) && !readNow.has(name));
};

/** Entries that the walk could not use and the library does not list yet. A song keeps its place where only new files count, and while its file cannot be looked at. */
const newlySkipped = (walked: WalkedFolder, files: ReadonlyMap<string, KnownFile>, mode: ScanMode): SkippedFile[] => {
  if (mode === 'clean' || mode === 'verify' || mode === 'art') return [];
  const fresh = walked.skipped.filter((entry) => !isRecorded(entry, files.get(entry.fileName)));
  const isUsed = (kind: KnownFile['kind'] | undefined): boolean => kind !== undefined && kind !== 'skipped';
  return fresh.filter(({ fileName }) => {
    const kind = files.get(fileName)?.kind;
    return !(mode === 'add' && kind === 'track') && !(walked.unsure?.has(fileName) && isUsed(kind));
  });
};

const addEmpty = (file: DiskFile, before: KnownFile | undefined, skipped: SkippedFile[], report: SkippedFile[]): void => {
  const entry: SkippedFile = {
    fileName: file.name,
    sizeBytes: 0,
    mtimeMs: file.mtimeMs,
    reason: 'empty',
    message: 'the file has no content',
  };
  if (!isRecorded(entry, before)) skipped.push(entry);
  report.push(entry);
};

/** A folder that cannot be listed keeps what is known of it; a vanished one is dealt with after the walk. */
const unlistedPlan = (walked: WalkedFolder, files: ReadonlyMap<string, KnownFile>, mode: ScanMode): FolderPlan => ({
  path: walked.path,
  read: [],
  skipped: newlySkipped(walked, files, mode),
  cleared: [],
  missing: [],
  report: walked.skipped,
});

/** True when the library has just this entry among what was left out. */
export const isRecorded = (entry: SkippedFile, known: KnownFile | undefined): boolean =>
  known?.kind === 'skipped' && known.skip_reason === entry.reason && sameState(known, entry);

const knownSkip = (file: DiskFile, known: KnownFile): SkippedFile => ({
  fileName: file.name,
  sizeBytes: file.sizeBytes,
  mtimeMs: file.mtimeMs,
  reason: known.skip_reason as SkippedFile['reason'],
  message: known.skip_message ?? '',
});

const goneFrom = (
  walked: WalkedFolder,
  files: ReadonlyMap<string, KnownFile>,
  { mode, only }: PlanOptions,
): Pick<FolderPlan, 'cleared' | 'missing'> => {
  if (!removes(mode)) return { cleared: [], missing: [] };
  const onDisk = new Set([...walked.media, ...walked.skipped.map((entry) => ({ name: entry.fileName }))].map((file) => file.name));
  const gone = [...files.values()].filter(({ name }) => !onDisk.has(fileOfName(name)) && (only?.has(fileOfName(name)) ?? true));
  return {
    cleared: gone.filter((file) => file.kind === 'skipped').map((file) => file.name),
    missing: gone.filter((file) => file.kind === 'track').map((file) => file.name),
  };
};

/** Groups known songs by file: songs that share a file count as that file. */
const byFile = (recorded: ReadonlyMap<string, KnownFile>): ReadonlyMap<string, KnownFile> => {
  if (![...recorded.keys()].some(isPartName)) return recorded;
  const files = new Map<string, KnownFile>();
  for (const [name, file] of recorded) if (!files.has(fileOfName(name))) files.set(fileOfName(name), { ...file, name: fileOfName(name) });
  return files;
};

/** Says what may cut a file, and under which names it is known; nothing for the usual folder. */
const cuttingIn = (
  walked: WalkedFolder,
  recorded: ReadonlyMap<string, KnownFile>,
): ((name: string) => Pick<FileToRead, 'cues' | 'known'>) => {
  const cues = walked.lyrics.map((file) => file.name).filter(isCueName);
  const hasParts = [...recorded.keys()].some(isPartName);
  if (cues.length === 0 && !hasParts) return () => ({});
  const stems = new Set(walked.media.flatMap((file) => [stemOf(file.name), file.name]));
  const tracks = [...recorded.values()].filter((file) => file.kind === 'track').map((file) => file.name);
  const known = Map.groupBy(tracks, fileOfName);
  // A sheet belongs to the file of its name; where it is called like no file, each may be meant.
  const cuesOf = (name: string): string[] => cues.filter((cue) => [stemOf(name), name].includes(stemOf(cue)) || !stems.has(stemOf(cue)));
  return (name) => ({ cues: cuesOf(name), known: known.get(name) ?? [] });
};

/** Tells of which files a companion text has appeared, changed or gone. */
const touchedBy = (walked: WalkedFolder, changed: ReadonlySet<string>): ((name: string) => boolean) => {
  const stems = new Set([...changed].map(stemOf));
  const cues = [...changed].filter(isCueName);
  if (cues.length === 0) return (name) => stems.has(stemOf(name));
  const mediaNames = new Set(walked.media.flatMap((file) => [stemOf(file.name), file.name]));
  const isAnybodys = cues.some((cue) => !mediaNames.has(stemOf(cue)));
  return (name) => isAnybodys || stems.has(stemOf(name)) || stems.has(name);
};

/** Names of companion files that appeared, changed or went. */
const sidecarChanges = (now: readonly SidecarFile[], files: ReadonlyMap<string, KnownFile>): Set<string> => {
  const changed = new Set<string>();
  const names = new Set(now.map((file) => file.fileName));
  for (const file of now) {
    const before = files.get(file.fileName);
    if (before?.kind !== file.kind || !sameState(before, file)) changed.add(file.fileName);
  }
  for (const file of files.values()) {
    if ((file.kind === 'art' || file.kind === 'lyrics') && !names.has(file.name)) changed.add(file.name);
  }
  return changed;
};

/** The companion files that count: the likeliest pictures, and lyrics that are named like a track. A folder without media has none. */
export const sidecarsOf = (walked: WalkedFolder, pictures?: PictureNames): SidecarFile[] => {
  if (walked.media.length === 0) return [];
  const stems = new Set(walked.media.map((file) => stemOf(file.name)));
  const lyrics = walked.lyrics.filter((file) => isCueName(file.name) || stems.has(stemOf(file.name)));
  const own = likelyPictures(walked.pictures, pictures);
  const isDisc = discOfFolder(walked.path.split('/').at(-1) ?? '') !== undefined;
  const above =
    own.length === 0 && isDisc ? likelyPictures(walked.parentPictures, pictures).map((file) => ({ ...file, name: `../${file.name}` })) : [];
  return [...[...own, ...above].map((file) => sidecar(file, 'art')), ...lyrics.map((file) => sidecar(file, 'lyrics'))];
};

const sidecar = ({ name, sizeBytes, mtimeMs }: DiskFile, kind: SidecarFile['kind']): SidecarFile => ({
  fileName: name,
  sizeBytes,
  mtimeMs,
  kind,
});

/** True when nothing has to be sent for a folder before the whole catalog has been walked. */
export const isSettled = (plan: FolderPlan): boolean =>
  plan.read.length === 0 && plan.skipped.length === 0 && plan.cleared.length === 0 && plan.sidecars === undefined;
