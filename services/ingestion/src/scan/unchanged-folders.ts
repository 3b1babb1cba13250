import { createHash } from 'node:crypto';
import type { FolderId, FolderPlan, ReadModel, ScanMode, ScannedCatalog } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { WalkedFolder } from '../walk/walked-folder.js';
import { sidecarsOf, type KnownFolder } from './folder-plan.js';
import { knownFolders } from './known-folders.reads.js';
import type { PictureNames } from './picture-names.js';

/** A known folder whose files are all as the library recorded them. */
export interface UnchangedFolder {
  readonly folderId: FolderId;
  readonly isUnchanged: true;
}

/** Options of a comparison of whole folders. */
export interface FolderComparison {
  readonly mode: ScanMode;
  /** True when only some files of the folders are meant. */
  readonly isPartial: boolean;
  readonly pictures?: PictureNames | undefined;
}

/** Fields are separated by a sign that no file name has. */
const lineOf = (name: string, kind: string, { sizeBytes, mtimeMs }: { sizeBytes: number; mtimeMs: number }): string =>
  `${name}/${kind}/${sizeBytes}/${mtimeMs}`;

/** Print of a folder in which every file is a song or belongs to one; undefined for a folder that needs a closer look anyway. */
export const folderPrint = (walked: WalkedFolder, pictures?: PictureNames): string | undefined => {
  const needsLook = walked.state !== 'listed' || walked.skipped.length > 0 || (walked.unsure?.size ?? 0) > 0;
  if (needsLook || walked.media.some(({ sizeBytes }) => sizeBytes === 0)) return undefined;
  const sidecars = sidecarsOf(walked, pictures);
  const lines = walked.media.map((file) => ({ name: file.name, line: lineOf(file.name, 'track', file) }));
  for (const file of sidecars) lines.push({ name: file.fileName, line: lineOf(file.fileName, file.kind, file) });
  if (sidecars.length > 0) lines.sort((a, b) => (a.name < b.name ? -1 : 1));
  return createHash('sha256')
    .update(lines.map(({ line }) => line).join('/'))
    .digest('hex');
};

/** Prints of known folders, made by the database, so that the files of a folder that did not change are never sent. */
const knownPrints = async (
  db: Kysely<ReadModel>,
  catalog: ScannedCatalog,
  paths: readonly string[],
): Promise<{ id: number; path: string; print: string }[]> => {
  const { rows } = await sql<{ id: number; path: string; print: string }>`
    select d.id, d.path, (
      select encode(sha256(convert_to(coalesce(
        string_agg(f.name || '/' || f.kind || '/' || f.size_bytes || '/' || f.mtime_ms, '/' order by f.name collate "C"), ''), 'UTF8')), 'hex')
      from library.file f where f.folder_id = d.id) as print
    from library.folder d where d.catalog_id = ${catalog.id} and d.present and d.path = any(${[...paths]}::text[])`.execute(db);
  return rows;
};

/** Reads what the library knows of walked folders by path; of those that did not change, nothing but that. */
export const compareFolders = async (
  db: Kysely<ReadModel>,
  catalog: ScannedCatalog,
  folders: readonly WalkedFolder[],
  { mode, isPartial, pictures }: FolderComparison,
): Promise<Map<string, KnownFolder | UnchangedFolder>> => {
  const paths = folders.map(({ path }) => path);
  const comparesWhole = catalog.gathers !== 'video' && !isPartial && (mode === 'changes' || mode === 'add');
  if (!comparesWhole) return knownFolders(db, catalog, paths);
  const prints = new Map((await knownPrints(db, catalog, paths)).map(({ path, ...known }) => [path, known]));
  const found = new Map<string, KnownFolder | UnchangedFolder>();
  for (const folder of folders) {
    const known = prints.get(folder.path);
    if (known === undefined || known.print !== folderPrint(folder, pictures)) continue;
    found.set(folder.path, { folderId: known.id as FolderId, isUnchanged: true });
  }
  const others = paths.filter((path) => prints.has(path) && !found.has(path));
  for (const [path, known] of await knownFolders(db, catalog, others)) found.set(path, known);
  return found;
};

/** The plan of a folder that did not change: nothing. */
export const emptyPlan = (path: string): FolderPlan => ({ path, read: [], skipped: [], cleared: [], missing: [], report: [] });
