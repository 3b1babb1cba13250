import { recordVideos, Rejection, type CatalogId, type ScannedVideo } from '@continuo/contracts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { FakeLibrary } from './fake-library.js';

type RecordVideos = z.output<typeof recordVideos.schema>;
type Counts = z.input<typeof recordVideos.result>;

const tables = [
  `create table library.video (id bigserial primary key, catalog_id bigint, folder_id bigint, file_name text, duration_ms bigint, bitrate_bps bigint,
    size_bytes bigint, mtime_ms bigint, added_at_ms bigint default (extract(epoch from clock_timestamp()) * 1000)::bigint, doc text, unique (folder_id, file_name))`,
  "create view library.video_counter as select 'video' as kind, catalog_id, count(*) as total from library.video group by catalog_id",
];

/** Stands in for the library's half that keeps videos, beside a {@link FakeLibrary}: plain rows in tables that look like the published views. */
export class FakeVideos {
  /** Every record that was taken, in order. */
  readonly records: RecordVideos[] = [];

  private constructor(private readonly library: FakeLibrary) {}

  static async over(library: FakeLibrary): Promise<FakeVideos> {
    for (const statement of tables) await sql.raw(statement).execute(library.db);
    const videos = new FakeVideos(library);
    library.commands.handle(recordVideos, async ({ data }) => {
      const result = await videos.#apply(data);
      videos.records.push(data);
      return { result, positions: [] };
    });
    return videos;
  }

  async addCatalog(id: number, path: string): Promise<CatalogId> {
    await this.library.addCatalog(id, path);
    await sql`update library.catalog set gather_types = 'video' where id = ${id}`.execute(this.library.db);
    return id as CatalogId;
  }

  /** All videos by their paths relative to the catalog's root. */
  async all(catalogId: number): Promise<{ path: string; id: number; video: ScannedVideo }[]> {
    const { rows } = await sql<{ path: string; id: number; doc: string }>`
      select case d.path when '' then v.file_name else d.path || '/' || v.file_name end as path, v.id, v.doc
      from library.video v join library.folder d on d.id = v.folder_id where v.catalog_id = ${catalogId} order by 1`.execute(
      this.library.db,
    );
    return rows.map(({ path, id, doc }) => ({ path, id, video: JSON.parse(doc) as ScannedVideo }));
  }

  async #apply(data: RecordVideos): Promise<Counts> {
    const { db } = this.library;
    const counts = { videosAdded: 0, videosChanged: 0, videosMoved: 0, videosRemoved: 0 };
    const { rows } = await sql<{ id: number }>`
      insert into library.folder (catalog_id, path, name, present) values (${data.catalogId}, ${data.path}, ${data.path}, ${!data.vanished})
      on conflict (catalog_id, path) do update set present = excluded.present returning id`.execute(db);
    const folderId = rows[0]?.id as number;
    const gone = data.vanished ? sql`true` : sql`file_name = any(${[...data.goneFiles, ...data.skipped.map(({ fileName }) => fileName)]})`;
    for (const move of data.moves) await this.#moveOut(move, folderId);
    counts.videosRemoved = Number(
      (await sql`delete from library.video where folder_id = ${folderId} and ${gone}`.execute(db)).numAffectedRows ?? 0,
    );
    const seen = [...data.goneFiles, ...data.videos.map(({ fileName }) => fileName)];
    await sql`delete from library.file where folder_id = ${folderId} and name = any(${seen})`.execute(db);
    for (const entry of data.skipped)
      await sql`insert into library.file (folder_id, name, kind, size_bytes, mtime_ms, skip_reason, skip_message)
        values (${folderId}, ${entry.fileName}, 'skipped', ${entry.sizeBytes}, ${entry.mtimeMs}, ${entry.reason}, ${entry.message})`.execute(
        db,
      );
    const moved = new Set(data.moves.map(({ fileName }) => fileName));
    for (const video of data.videos) counts[await this.#put({ folderId, catalogId: data.catalogId }, video, moved)] += 1;
    return counts;
  }

  async #moveOut({ videoId, fileName, fromFolderId, fromFileName }: RecordVideos['moves'][number], folderId: number): Promise<void> {
    const { numAffectedRows } = await sql`update library.video set folder_id = ${folderId}, file_name = ${fileName}
      where id = ${videoId} and folder_id = ${fromFolderId} and file_name = ${fromFileName}`.execute(this.library.db);
    if (!numAffectedRows) throw new Rejection('conflict', 'the video is not there', 'moves');
  }

  async #put(
    { folderId, catalogId }: { folderId: number; catalogId: number },
    video: ScannedVideo,
    moved: ReadonlySet<string>,
  ): Promise<keyof Counts> {
    const { rows } = await sql<{ fresh: boolean }>`
      insert into library.video (catalog_id, folder_id, file_name, duration_ms, bitrate_bps, size_bytes, mtime_ms, doc)
      values (${catalogId}, ${folderId}, ${video.fileName}, ${video.durationMs}, ${video.bitrateBps}, ${video.sizeBytes}, ${video.mtimeMs}, ${JSON.stringify(video)})
      on conflict (folder_id, file_name) do update set duration_ms = excluded.duration_ms, bitrate_bps = excluded.bitrate_bps,
        size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms, doc = excluded.doc
      returning (xmax = 0) as fresh`.execute(this.library.db);
    if (moved.has(video.fileName)) return 'videosMoved';
    return rows[0]?.fresh ? 'videosAdded' : 'videosChanged';
  }
}
