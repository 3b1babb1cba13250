import { openDatabase } from '@continuo/chassis';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { parseStorageAddress, recordFolder, Rejection, type CatalogId, type ReadModel, type ScannedTrack } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';

type RecordFolder = z.output<typeof recordFolder.schema>;
type Counts = z.input<typeof recordFolder.result>;

const tables = [
  'create schema library',
  `create table library.catalog (id bigint primary key, name text, type text, gather_types text, path text, connection text, enabled boolean default true,
    rename_pattern text, sort_pattern text, watched boolean, scan_schedule text, added_at_ms bigint default 0, song_count bigint not null default 0)`,
  `create table library.folder (id bigserial primary key, catalog_id bigint, parent_id bigint, path text, name text, art_hash text, art_mime text,
    present boolean not null default true, unique (catalog_id, path))`,
  `create table library.file (folder_id bigint, name text, kind text, size_bytes bigint, mtime_ms bigint, song_id bigint, skip_reason text,
    skip_message text, primary key (folder_id, name))`,
  `create table library.song (id bigserial primary key, catalog_id bigint, folder_id bigint, file_name text, title text, duration_ms bigint,
    bitrate_bps bigint, size_bytes bigint, mtime_ms bigint, sound_print text, added_at_ms bigint default (extract(epoch from clock_timestamp()) * 1000)::bigint, doc text, unique (folder_id, file_name))`,
  'create index song_by_file_state on library.song (size_bytes, mtime_ms)',
];

/**
 * Stands in for the library service in specs: answers `recordFolder` with plain rows in tables that look like its published views. Digests are
 * not kept: a track that is sent again counts as changed, so that repeated work shows.
 */
export class FakeLibrary {
  readonly commands = new InMemoryCommandClient();
  readonly db: Kysely<ReadModel>;
  /** Every record that was taken, in order. */
  readonly records: RecordFolder[] = [];
  /** Called before a record is applied; throws to refuse it. */
  beforeRecord: (data: RecordFolder) => Promise<void> | void = () => undefined;

  private constructor(url: string) {
    this.db = openDatabase<ReadModel>({ url, poolSize: 4, applicationName: 'fake-library' });
    this.commands.handle(recordFolder, async ({ data }) => {
      await this.beforeRecord(data);
      const result = await this.#apply(data);
      this.records.push(data);
      return { result, positions: [] };
    });
  }

  static async start(url: string): Promise<FakeLibrary> {
    const library = new FakeLibrary(url);
    for (const statement of tables) await sql.raw(statement).execute(library.db);
    return library;
  }

  stop(): Promise<void> {
    return this.db.destroy();
  }

  async addCatalog(id: number, path: string, connection: string | null = null): Promise<CatalogId> {
    await sql`insert into library.catalog (id, name, type, gather_types, path, connection)
      values (${id}, ${`catalog ${id}`}, ${parseStorageAddress(path)?.type ?? 'local'}, 'music', ${path}, ${connection})`.execute(this.db);
    return id as CatalogId;
  }

  /** Paths of all songs, relative to the catalog's root. */
  /** Changes how a catalog of another place is reached. */
  async setConnection(id: CatalogId, connection: string): Promise<void> {
    await sql`update library.catalog set connection = ${connection} where id = ${id}`.execute(this.db);
  }

  async songs(catalogId = 1): Promise<{ path: string; id: number; track: ScannedTrack }[]> {
    const { rows } = await sql<{ path: string; id: number; doc: string }>`
      select case d.path when '' then s.file_name else d.path || '/' || s.file_name end as path, s.id, s.doc
      from library.song s join library.folder d on d.id = s.folder_id where s.catalog_id = ${catalogId} order by 1`.execute(this.db);
    return rows.map(({ path, id, doc }) => ({ path, id, track: JSON.parse(doc) as ScannedTrack }));
  }

  /** Skipped files: `path (reason)`. */
  async skipped(): Promise<string[]> {
    const { rows } = await sql<{ line: string }>`
      select (case d.path when '' then '' else d.path || '/' end) || f.name || ' (' || f.skip_reason || ')' as line
      from library.file f join library.folder d on d.id = f.folder_id where f.kind = 'skipped' order by 1`.execute(this.db);
    return rows.map(({ line }) => line);
  }

  async #apply(data: RecordFolder): Promise<Counts> {
    const counts = { songsAdded: 0, songsChanged: 0, songsMoved: 0, songsRemoved: 0 };
    const folderId = await this.#folder(data);
    if (data.vanished) {
      counts.songsRemoved = await this.#removeAll(folderId);
      return this.#counted(data.catalogId, counts);
    }
    for (const move of data.moves) await this.#moveOut(move);
    for (const name of [...data.goneFiles, ...data.skipped.map((entry) => entry.fileName)])
      counts.songsRemoved += await this.#remove(folderId, name);
    const moved = new Map(data.moves.map((move) => [move.fileName, move.songId]));
    for (const track of data.tracks) counts[await this.#put(data.catalogId, folderId, track, moved.get(track.fileName))] += 1;
    await this.#putOthers(folderId, data);
    return this.#counted(data.catalogId, counts);
  }

  async #folder(data: RecordFolder): Promise<number> {
    const name = data.path.slice(data.path.lastIndexOf('/') + 1);
    const { rows } = await sql<{ id: number }>`
      insert into library.folder (catalog_id, path, name, present) values (${data.catalogId}, ${data.path}, ${name}, ${!data.vanished})
      on conflict (catalog_id, path) do update set present = excluded.present returning id`.execute(this.db);
    return rows[0]?.id as number;
  }

  async #removeAll(folderId: number): Promise<number> {
    const { numAffectedRows } = await sql`delete from library.song where folder_id = ${folderId}`.execute(this.db);
    await sql`delete from library.file where folder_id = ${folderId}`.execute(this.db);
    return Number(numAffectedRows ?? 0);
  }

  async #moveOut(move: RecordFolder['moves'][number]): Promise<void> {
    const { numAffectedRows } = await sql`delete from library.file where folder_id = ${move.fromFolderId} and name = ${move.fromFileName}
      and song_id = ${move.songId}`.execute(this.db);
    if (!numAffectedRows) throw new Rejection('conflict', 'the song is not there', 'moves');
  }

  async #remove(folderId: number, name: string): Promise<number> {
    const { rows } = await sql<{ song_id: number | null }>`
      delete from library.file where folder_id = ${folderId} and name = ${name} returning song_id`.execute(this.db);
    const songId = rows[0]?.song_id;
    if (!songId) return 0;
    await sql`delete from library.song where id = ${songId}`.execute(this.db);
    return 1;
  }

  async #put(catalogId: number, folderId: number, track: ScannedTrack, movedId: number | undefined): Promise<keyof Counts> {
    const before = await sql<{
      song_id: number | null;
    }>`select song_id from library.file where folder_id = ${folderId} and name = ${track.fileName}`.execute(this.db);
    const known = movedId ?? before.rows[0]?.song_id;
    const id = known ?? (await sql<{ id: number }>`select nextval('library.song_id_seq') as id`.execute(this.db)).rows[0]?.id;
    await sql`insert into library.song (id, catalog_id, folder_id, file_name, title, duration_ms, bitrate_bps, size_bytes, mtime_ms, sound_print, doc)
      values (${id}, ${catalogId}, ${folderId}, ${track.fileName}, ${track.title}, ${track.durationMs}, ${track.bitrateBps}, ${track.sizeBytes},
        ${track.mtimeMs}, ${track.soundPrint ?? null}, ${JSON.stringify(track)})
      on conflict (id) do update set folder_id = excluded.folder_id, file_name = excluded.file_name, title = excluded.title, doc = excluded.doc,
        size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms, sound_print = excluded.sound_print, duration_ms = excluded.duration_ms, bitrate_bps = excluded.bitrate_bps`.execute(
      this.db,
    );
    await this.#putFile(folderId, { name: track.fileName, kind: 'track', ...track, songId: id });
    return movedId ? 'songsMoved' : known ? 'songsChanged' : 'songsAdded';
  }

  async #putOthers(folderId: number, data: RecordFolder): Promise<void> {
    for (const entry of data.skipped) await this.#putFile(folderId, { name: entry.fileName, kind: 'skipped', ...entry });
    if (!data.sidecars) return;
    await sql`delete from library.file where folder_id = ${folderId} and kind in ('art', 'lyrics')`.execute(this.db);
    for (const file of data.sidecars.files) await this.#putFile(folderId, { name: file.fileName, ...file });
    await sql`update library.folder set art_hash = ${data.sidecars.art?.hash ?? null} where id = ${folderId}`.execute(this.db);
  }

  async #putFile(
    folderId: number,
    file: {
      name: string;
      kind: string;
      sizeBytes: number;
      mtimeMs: number;
      songId?: number | undefined;
      reason?: string;
      message?: string;
    },
  ): Promise<void> {
    await sql`insert into library.file (folder_id, name, kind, size_bytes, mtime_ms, song_id, skip_reason, skip_message)
      values (${folderId}, ${file.name}, ${file.kind}, ${file.sizeBytes}, ${file.mtimeMs}, ${file.songId ?? null}, ${file.reason ?? null}, ${file.message ?? null})
      on conflict (folder_id, name) do update set kind = excluded.kind, size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms,
        song_id = excluded.song_id, skip_reason = excluded.skip_reason, skip_message = excluded.skip_message`.execute(this.db);
  }

  async #counted(catalogId: number, counts: Counts): Promise<Counts> {
    await sql`update library.catalog set song_count = song_count + ${counts.songsAdded - counts.songsRemoved} where id = ${catalogId}`.execute(
      this.db,
    );
    return counts;
  }
}
