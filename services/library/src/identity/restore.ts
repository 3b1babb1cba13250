import { clusterTimeline } from '@continuo/chassis';
import { sql, type Kysely, type Transaction } from 'kysely';
import { albumKey } from '../folder/name-resolution.js';
import { identityKey } from '../catalogue/names.js';
import { identityKinds, sequenceOf, type IdentityKind } from './identity.migrations.js';
import { blockOf, mbidKey, nameKey } from './identity-registry.js';

interface Entry {
  readonly key: string;
  readonly id: number;
  readonly name: string;
  readonly mbid: string | null;
}

/** Kinds that are found by a natural key; songs and videos belong to their files, podcasts and episodes are found in their logs. */
type NamedKind = Exclude<IdentityKind, 'song' | 'video' | 'podcast' | 'podcast_episode'>;
const unnamed: ReadonlySet<IdentityKind> = new Set(['song', 'video', 'podcast', 'podcast_episode']);
const isNamed = (kind: IdentityKind): kind is NamedKind => !unnamed.has(kind);

const PAGE = 5000;
/** Ids that replicas have taken in blocks and may still give for a moment, after a fail-over has taken the sequence back. */
const AFTER_FAIL_OVER = 10_000;

/**
 * Fills the registry from the catalogue where the catalogue knows higher ids than it does, and moves the sequences past every id that was ever
 * given, or further after a fail-over. Answers how many entries were added; on a healthy database that is none, after a handful of look-ups.
 */
export const restoreIdentities = async (db: Kysely<unknown>): Promise<number> => {
  // Beforehand: where that may not be told, the refusal would end the transaction.
  const timeline = await clusterTimeline(db);
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('identity:restore', 0))`.execute(tx);
    let restored = 0;
    const hasFailedOver = await isOtherHistory(tx, timeline);
    const isBehind = (await cameFromBackup(tx)) || hasFailedOver;
    for (const kind of identityKinds) {
      const known = await highestGiven(tx, kind);
      const given = known + (hasFailedOver && blockOf(kind) > 1 ? AFTER_FAIL_OVER : 0);
      if (isNamed(kind) && (isBehind || known > (await highestRegistered(tx, kind)))) restored += await restoreKind(tx, kind);
      await sql`select setval(${`library.${sequenceOf(kind)}`}::regclass, greatest(${given}::bigint, last_value), is_called or ${given}::bigint >= last_value)
                from ${sql.raw(`library.${sequenceOf(kind)}`)} where ${given}::bigint > 0`.execute(tx);
    }
    return restored;
  });
};

/**
 * True once after a backup was restored. Its tables are a little older than its log, and names that were given in between may have lower ids than others that were given before:
 * replicas take ids in blocks. Only looking everything up finds them.
 */
const cameFromBackup = async (tx: Transaction<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('chassis.after_restore') is not null as there`.execute(tx);
  if (!rows[0]?.there) return false;
  const done = await sql`delete from chassis.after_restore where task = 'identities'`.execute(tx);
  return Number(done.numAffectedRows ?? 0n) > 0;
};

/** True once after Postgres has failed over, or was restored to a moment. The new history may lack what was written last. */
const isOtherHistory = async (tx: Transaction<unknown>, timeline: string | undefined): Promise<boolean> => {
  if (timeline === undefined) return false;
  const { rows } = await sql<{ timeline: string }>`select timeline from library.identity_history`.execute(tx);
  if (rows[0]?.timeline === timeline) return false;
  await sql`delete from library.identity_history`.execute(tx);
  await sql`insert into library.identity_history values (${timeline})`.execute(tx);
  return rows.length > 0;
};

const highestGiven = async (tx: Transaction<unknown>, kind: IdentityKind): Promise<number> => {
  // Genres are named by videos too.
  const ofVideos = kind === 'genre' ? 'video_tag' : kind;
  const found = await sql<{ id: number | null }>`select max(max_id) as id from (
    select max_id from library.counter where kind = ${kind} union all select max_id from library.video_counter where kind = ${ofVideos}
    union all select max_id from library.podcast_counter where kind = ${kind}) as n`.execute(tx);
  return found.rows[0]?.id ?? 0;
};

const highestRegistered = async (tx: Transaction<unknown>, kind: IdentityKind): Promise<number> => {
  const found = await sql<{ id: number | null }>`select max(id) as id from library.identity where kind = ${kind}`.execute(tx);
  return found.rows[0]?.id ?? 0;
};

const restoreKind = async (tx: Transaction<unknown>, kind: NamedKind): Promise<number> => {
  let restored = 0;
  let after = 0;
  for (;;) {
    const page = await readers[kind](tx, after);
    if (page.rows.length === 0) return restored;
    after = page.last;
    const inserted = await sql`
      insert into library.identity (kind, key, id, name, mbid)
      select ${kind}, * from unnest(${page.rows.map((r) => r.key)}::text[], ${page.rows.map((r) => r.id)}::bigint[], ${page.rows.map((r) => r.name)}::text[], ${page.rows.map((r) => r.mbid)}::text[])
      on conflict do nothing`.execute(tx);
    restored += Number(inserted.numAffectedRows ?? 0n);
  }
};

type Reader = (tx: Transaction<unknown>, after: number) => Promise<{ rows: Entry[]; last: number }>;

const page = async <R extends { id: number }>(tx: Transaction<unknown>, query: ReturnType<typeof sql<R>>, entries: (row: R) => Entry[]) => {
  const { rows } = await query.execute(tx);
  return { rows: rows.flatMap(entries), last: rows.at(-1)?.id ?? 0 };
};

/** Things that are known by nothing but their name. */
const named = (tx: Transaction<unknown>, table: ReturnType<typeof sql>, after: number) =>
  page(tx, sql<{ id: number; name: string }>`select id, name from ${table} where id > ${after} order by id limit ${PAGE}`, (row) => [
    { key: identityKey(row.name), id: row.id, name: row.name, mbid: null },
  ]);

const readers: Record<NamedKind, Reader> = {
  // Catalogs have no names to recognise them by: only their sequence matters.
  catalog: () => Promise.resolve({ rows: [], last: 0 }),
  folder: (tx, after) =>
    page(
      tx,
      sql<{
        id: number;
        catalog_id: number;
        path: string;
      }>`select id, catalog_id, path from library.folder where id > ${after} order by id limit ${PAGE}`,
      (row) => [{ key: `${row.catalog_id}|${row.path}`, id: row.id, name: row.path, mbid: null }],
    ),
  album: (tx, after) =>
    page(
      tx,
      sql<{ id: number; catalog_id: number; name: string; mbid: string | null; version: string | null; artists: number[] | null }>`
        select a.id, a.catalog_id, a.name, a.mbid, a.doc::json ->> 'version' as version,
          (select array_agg(aa.artist_id::int order by aa.position) from library.album_artist aa where aa.album_id = a.id) as artists
        from library.album a where a.id > ${after} order by a.id limit ${PAGE}`,
      (row) => {
        const album = { name: row.name, mbAlbumId: row.mbid ?? undefined, version: row.version ?? undefined };
        return [{ key: albumKey(row.catalog_id, album, row.artists ?? []), id: row.id, name: row.name, mbid: null }];
      },
    ),
  artist: (tx, after) =>
    page(
      tx,
      sql<{
        id: number;
        name: string;
        mbid: string | null;
      }>`select id, name, mbid from library.artist where id > ${after} order by id limit ${PAGE}`,
      (row) =>
        [...(row.mbid ? [mbidKey(row.mbid)] : []), nameKey(row.name)].map((key) => ({ key, id: row.id, name: row.name, mbid: row.mbid })),
    ),
  genre: (tx, after) => named(tx, sql`(select id, name from library.genre union select id, name from library.video_tag) as g`, after),
  mood: (tx, after) => named(tx, sql`library.mood`, after),
  label: (tx, after) => named(tx, sql`library.label`, after),
  license: (tx, after) => named(tx, sql`library.license`, after),
};
