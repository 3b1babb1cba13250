import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type fileByPattern, MAX_FILED_SONGS, Rejection, type CatalogId, type ReadModel, type SongId } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { catalogRoot } from '../maintenance/catalog-path.js';
import type { TagReader } from '../tags/tag-reader.js';
import { fileKind, stemOf } from '../walk/file-kinds.js';
import type { Touched } from '../watch/changed-paths.js';
import { folderByPattern, nameByPattern } from './filing-pattern.js';
import { asStorageFault, giveName, makeFolder } from './placing.js';
import { filedTrack } from './upload-intake.js';

type Asked = z.output<typeof fileByPattern.schema>;
type Filed = z.input<typeof fileByPattern.result>;
type Move = Filed['moves'][number];

export interface FilingDependencies {
  readonly db: Kysely<ReadModel>;
  readonly reader: TagReader;
  /** Has the library take notice of what was moved. */
  readonly scan: (catalogId: CatalogId, touched: Touched) => Promise<void>;
}

interface FiledSong {
  readonly id: SongId;
  readonly folder: string;
  readonly name: string;
}

interface Patterns {
  readonly sort: string | null;
  readonly rename: string | null;
}

const pathOf = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const folderOf = (path: string): string => (path.includes('/') ? dirname(path) : '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Files what is in a catalog already by its patterns. */
export class PatternFiling {
  constructor(private readonly deps: FilingDependencies) {}

  /** @throws Rejection as {@link fileByPattern} says */
  async file({ catalogId, afterSongId, apply }: Asked): Promise<Filed> {
    const { root, patterns } = await this.#catalog(catalogId);
    const songs = await this.#songs(catalogId, afterSongId);
    const moves: Move[] = [];
    for (const song of songs) {
      const move = await this.#wanted(root, song, patterns);
      if (move) moves.push(apply ? await carriedOut(root, move) : move);
    }
    const done = moves.filter(({ refused }) => refused === undefined);
    if (apply && done.length > 0) await this.deps.scan(catalogId, touchedBy(done));
    if (apply) for (const folder of new Set(done.map(({ from }) => folderOf(from)))) await removeBare(root, folder);
    return { moves, nextSongId: songs.length < MAX_FILED_SONGS ? null : (songs.at(-1)?.id ?? null) };
  }

  async #catalog(id: CatalogId): Promise<{ root: string; patterns: Patterns }> {
    const row = await this.deps.db
      .selectFrom('library.catalog')
      .select(['path', 'type', 'gather_types', 'sort_pattern as sort', 'rename_pattern as rename'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new Rejection('catalog.not-found', undefined, String(id));
    if (row.type !== 'local' || row.gather_types !== 'music')
      throw new Rejection('input.invalid', 'only local catalogs of music are filed by patterns', 'catalog');
    if (!row.sort && !row.rename) throw new Rejection('input.invalid', 'the catalog has no patterns', 'catalog');
    return { root: await catalogRoot(row.path), patterns: { sort: row.sort, rename: row.rename } };
  }

  async #songs(catalogId: CatalogId, afterId: number): Promise<FiledSong[]> {
    const rows = await this.deps.db
      .selectFrom('library.song as s')
      .innerJoin('library.folder as f', 'f.id', 's.folder_id')
      .select(['s.id', 'f.path as folder', 's.file_name as name'])
      .where('s.catalog_id', '=', catalogId)
      .where('s.id', '>', afterId)
      .orderBy('s.id')
      .limit(MAX_FILED_SONGS)
      .execute();
    return rows.map((row) => ({ ...row, id: row.id as SongId }));
  }

  /** Undefined for a file that is where it belongs, and for one that cannot be read. */
  async #wanted(root: string, { id, folder, name }: FiledSong, { sort, rename }: Patterns): Promise<Move | undefined> {
    const from = pathOf(folder, name);
    const path = join(root, from);
    const stats = await lstat(path).catch(() => undefined);
    // A link is somebody's own order.
    if (!stats?.isFile()) return undefined;
    const request = { path, fileName: name, folderPath: folder, sizeBytes: stats.size, mtimeMs: Math.max(0, Math.trunc(stats.mtimeMs)) };
    const read = await this.deps.reader.readTrack({ ...request, lyricsPaths: [] });
    if (!read.ok) return undefined;
    const filed = filedTrack(read.track);
    const to = pathOf(sort ? folderByPattern(sort, filed) : folder, rename ? nameByPattern(rename, filed, name) : name);
    return to === from ? undefined : { songId: id, from, to };
  }
}

/** Words that belong to a track by their name go with it. */
const companions = async (root: string, from: string): Promise<string[]> => {
  const stem = stemOf(nameOf(from));
  const names = await readdir(join(root, folderOf(from)));
  return names.filter((name) => fileKind(name) === 'lyrics' && stemOf(name) === stem);
};

/** A file that cannot leave its old place is not in two places afterwards. */
const moveFile = async (root: string, from: string, to: string): Promise<void> => {
  const folder = await makeFolder(root, folderOf(to));
  const isNew = await giveName(join(root, from), folder, nameOf(to));
  try {
    await unlink(join(root, from));
  } catch (error) {
    if (isNew) await unlink(join(folder, nameOf(to)));
    throw error;
  }
};

const carriedOut = async (root: string, move: Move): Promise<Move> => {
  try {
    const lyrics = await companions(root, move.from);
    await moveFile(root, move.from, move.to);
    const leftBehind = await movedWords(root, move, lyrics);
    return leftBehind.length > 0 ? { ...move, leftBehind } : move;
  } catch (error) {
    return { ...move, refused: whyNot(error, 'the file cannot be moved').message };
  }
};

/** Moves the words of a song after it, and answers those that stay. Words that are at the new place already stay there, and these where they are. */
const movedWords = async (root: string, { from, to }: Move, names: readonly string[]): Promise<NonNullable<Move['leftBehind']>> => {
  const leftBehind: NonNullable<Move['leftBehind']> = [];
  for (const name of names) {
    const target = pathOf(folderOf(to), `${stemOf(nameOf(to))}${name.slice(stemOf(name).length)}`);
    try {
      await moveFile(root, pathOf(folderOf(from), name), target);
    } catch (error) {
      // The song has moved all the same, and its words are where they were.
      leftBehind.push({ fileName: name, why: whyNot(error, 'the file cannot be moved').message });
    }
  }
  return leftBehind;
};

/** Maps a failed move to a rejection. @throws the error itself when it is no disk error */
const whyNot = (error: unknown, what: string): Rejection => {
  const fault = asStorageFault(error, what);
  if (fault instanceof Rejection) return fault;
  throw fault;
};

const touchedBy = (moves: readonly Move[]): Touched => {
  const files = new Map<string, Set<string>>();
  for (const path of moves.flatMap(({ from, to }) => [from, to])) {
    const names = files.get(folderOf(path)) ?? new Set<string>();
    files.set(folderOf(path), names.add(nameOf(path)));
  }
  return { trees: [], files };
};

/** Takes folders away that hold nothing any more, upwards; never the root. */
const removeBare = async (root: string, folder: string): Promise<void> => {
  for (let at = folder; at !== '' && at !== '.'; at = folderOf(at)) {
    try {
      await rmdir(join(root, at));
    } catch {
      // It holds something: pictures, or files that are no songs.
      return;
    }
  }
};
