import { lstat, unlink } from 'node:fs/promises';
import { extname, join } from 'node:path';
import {
  Rejection,
  UPLOAD_FOLDER,
  type CommandMessage,
  type ReadModel,
  type ScannedTrack,
  type SongId,
  type takeInUpload,
  type ScannedCatalog,
} from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';
import type { CatalogMaintenance, MaintenanceResult } from '../maintenance/catalog-maintenance.js';
import { catalogRoot } from '../maintenance/catalog-path.js';
import { kindOfFiles } from '../scan/walked-parts.js';
import { catalogById } from '../scan/known-folders.reads.js';
import type { TagReader } from '../tags/tag-reader.js';
import { errorCode } from '../walk/list-folder.js';
import { folderByPattern, nameByPattern, safeSegment, type FiledTrack } from './filing-pattern.js';
import { asStorageFault, giveName, isSameFile, makeFolder, refused, sweepLeftOvers } from './placing.js';
import type { TagWriter } from './tag-writer.js';

type Upload = z.output<typeof takeInUpload.schema>;
type TakenIn = z.input<typeof takeInUpload.result>;

export interface IntakeDependencies {
  readonly db: Kysely<ReadModel>;
  readonly reader: TagReader;
  readonly writeTags: TagWriter;
  readonly maintenance: Pick<CatalogMaintenance, 'maintain'>;
  readonly now: () => number;
}

/** A waiting file and the catalog that it is for. */
interface Waiting {
  readonly catalog: ScannedCatalog;
  readonly realRoot: string;
  /** Absolute path. */
  readonly staged: string;
  readonly fileName: string;
}

/** Candidates of the same size that are compared byte by byte. */
const MAX_COMPARED = 50;

/** Maps a track to the values of a filing pattern. */
export const filedTrack = (track: ScannedTrack): FiledTrack => ({
  title: track.title,
  artist: track.artists[0]?.name ?? '',
  album: track.album.name,
  albumArtist: track.albumArtists[0]?.name ?? '',
  genre: track.genres[0] ?? '',
  year: track.year ?? 0,
  originalYear: track.album.originalYear ?? 0,
  disk: track.disk ?? 0,
  track: track.track ?? 0,
  comment: track.comment ?? '',
  label: track.album.recordLabels?.[0] ?? '',
  barcode: track.album.barcode ?? '',
  catalogNumber: track.album.catalogNumber ?? '',
  releaseType: track.album.releaseTypes?.[0] ?? '',
});

/** Takes uploaded files into their catalogs. */
export class UploadIntake {
  constructor(private readonly deps: IntakeDependencies) {}

  /** @throws Rejection as {@link takeInUpload} says */
  async takeIn(upload: Upload, message: CommandMessage): Promise<MaintenanceResult<TakenIn>> {
    const waiting = await this.#waiting(upload);
    try {
      const track = await this.#look(waiting, upload);
      return await this.#place(waiting, { upload, track }, message);
    } catch (error) {
      const fault = asStorageFault(error, 'the file cannot be put into the catalog');
      // A file that may succeed later, or on another worker, stays for the next try.
      if (fault instanceof Rejection && fault.code === 'upload.refused') await unlink(waiting.staged).catch(() => undefined);
      throw fault;
    }
  }

  async #waiting({ catalogId, staged: name, fileName }: Upload): Promise<Waiting> {
    const catalog = await catalogById(this.deps.db, catalogId);
    if (catalog === undefined) throw new Rejection('catalog.not-found', undefined, String(catalogId));
    const realRoot = await catalogRoot(catalog.path);
    const staged = join(realRoot, UPLOAD_FOLDER, name);
    const stats = await lstat(staged).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') throw new Rejection('media.not-found', 'nothing of this name waits');
      throw asStorageFault(error, 'the file cannot be looked at');
    });
    if (!stats.isFile()) throw new Rejection('media.not-found', 'nothing of this name waits');
    await sweepLeftOvers(realRoot, this.deps.now());
    return { catalog, realRoot, staged, fileName: cleanName(fileName) };
  }

  /** Reads the track; undefined for a video, about which the scan decides. @throws Rejection `upload.refused` */
  async #look({ catalog, staged, fileName }: Waiting, { tags }: Upload): Promise<ScannedTrack | undefined> {
    if (catalog.gathers === 'podcast') throw refused('a catalog of podcasts takes no uploads');
    if (kindOfFiles(catalog)(fileName) !== 'media') throw refused('the name has no suffix of a media file of this catalog');
    if ((await lstat(staged)).size === 0) throw refused('the file has no content');
    if (catalog.gathers === 'video') return undefined;
    const before = await this.#read(staged, fileName);
    if (Object.keys(tags).length === 0) return before;
    await this.deps.writeTags(staged, fileName, tags);
    return this.#read(staged, fileName);
  }

  async #read(path: string, fileName: string): Promise<ScannedTrack> {
    const { size, mtimeMs } = await lstat(path);
    const read = await this.deps.reader.readTrack({
      path,
      fileName,
      folderPath: '',
      sizeBytes: size,
      mtimeMs: Math.max(0, Math.trunc(mtimeMs)),
      lyricsPaths: [],
    });
    if (!read.ok) throw refused(read.message);
    return read.track;
  }

  async #place(
    waiting: Waiting,
    { upload, track }: { upload: Upload; track: ScannedTrack | undefined },
    message: CommandMessage,
  ): Promise<MaintenanceResult<TakenIn>> {
    const { catalog, realRoot, staged, fileName } = waiting;
    const placed = await this.#placeOfSame(waiting);
    const { folder, name } = placed ?? (await this.#wantedPlace(catalog, fileName, { upload, track }));
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!placed) await giveName(staged, await makeFolder(realRoot, folder), name);
    try {
      const { positions } = await this.#scan(catalog, path, message);
      await unlink(staged);
      return { result: { songId: await this.#songAt(catalog, folder, name), path }, positions };
    } catch (error) {
      if (error instanceof Rejection && error.code === 'upload.refused') await unlink(join(realRoot, path));
      throw error;
    }
  }

  async #scan(catalog: ScannedCatalog, path: string, message: CommandMessage): Promise<Pick<MaintenanceResult<TakenIn>, 'positions'>> {
    const done = await this.deps.maintenance
      .maintain({ catalogId: catalog.id, kind: 'file', path, tasks: ['add'] }, message)
      .catch(asRefusal);
    const unusable = done.result.filesSkipped > 0 ? done.result.skipped[0] : undefined;
    if (unusable) throw refused(unusable.message);
    return done;
  }

  /**
   * Where this very file lies already because an earlier try was interrupted after it had a name.
   * @throws Rejection `upload.refused` when the catalog has another file of the same bytes
   */
  async #placeOfSame({ catalog, realRoot, staged }: Waiting): Promise<{ folder: string; name: string } | undefined> {
    const { size, ino, dev } = await lstat(staged);
    const media = catalog.gathers === 'video' ? sql`library.video` : sql`library.song`;
    const { rows } = await sql<{ folder: string; name: string }>`
      select f.path as folder, m.file_name as name from ${media} m join library.folder f on f.id = m.folder_id
      where m.size_bytes = ${size} and m.catalog_id = ${catalog.id} limit ${MAX_COMPARED}`.execute(this.deps.db);
    for (const { folder, name } of rows) {
      const path = join(realRoot, folder, name);
      const known = await lstat(path).catch(() => undefined);
      if (known?.ino === ino && known.dev === dev) return { folder, name };
      if (await isSameFile(staged, path)) throw refused('the catalog has this very file already');
    }
    return undefined;
  }

  async #wantedPlace(
    catalog: ScannedCatalog,
    fileName: string,
    { upload, track }: { upload: Upload; track: ScannedTrack | undefined },
  ): Promise<{ folder: string; name: string }> {
    const own = upload.subfolder === null ? [] : [safeSegment(upload.subfolder)];
    if (track === undefined) return { folder: own.join('/'), name: fileName };
    const { sortPattern, renamePattern } = await this.#patterns(catalog);
    const filed = filedTrack(track);
    const folder = [...own, folderByPattern(sortPattern, filed)].filter((part) => part !== '').join('/');
    return { folder, name: nameByPattern(renamePattern, filed, fileName) };
  }

  async #patterns({ id }: ScannedCatalog): Promise<{ sortPattern: string | null; renamePattern: string | null }> {
    const row = await this.deps.db
      .selectFrom('library.catalog')
      .select(['sort_pattern as sortPattern', 'rename_pattern as renamePattern'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? { sortPattern: null, renamePattern: null };
  }

  async #songAt({ id, gathers }: ScannedCatalog, folder: string, name: string): Promise<SongId | null> {
    if (gathers === 'video') return null;
    const row = await this.deps.db
      .selectFrom('library.song as s')
      .innerJoin('library.folder as f', 'f.id', 's.folder_id')
      .select('s.id')
      .where('f.catalog_id', '=', id)
      .where('f.path', '=', folder)
      .where('s.file_name', '=', name)
      .executeTakeFirst();
    return (row?.id ?? null) as SongId | null;
  }
}

/** The name as a file may have it, with its suffix. */
const cleanName = (given: string): string => {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const suffix = extname(last);
  const stem = suffix === '' ? last : last.slice(0, -suffix.length);
  return `${safeSegment(stem)}${suffix === '' ? '' : `.${safeSegment(suffix.slice(1), 20)}`}`;
};

/** A place that scans would not look at, or a name that is none, is no place for an upload. */
const asRefusal = (error: unknown): never => {
  const isAboutPlace = error instanceof Rejection && (error.code === 'media.failed' || error.code === 'catalog.path-outside');
  throw isAboutPlace ? refused(error.message) : error;
};
