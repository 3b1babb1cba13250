import type { ReadDatabase } from '../database/database.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Page } from '../library/album-list.reads.js';
import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';
import type { PageCursors, PageStart } from './page-cursors.js';

/** The kinds of things that clients copy as a whole, by id. */
export type ListedKind = 'song' | 'album' | 'artist';

/** Condition of listed rows `t` of a kind. */
export const listed: Record<ListedKind, RawBuilder<SqlBool>> = {
  song: sql<SqlBool>`true`,
  album: sql<SqlBool>`t.song_count > 0`,
  artist: sql<SqlBool>`(t.song_count > 0 or t.album_count > 0)`,
};

/** Condition that a row `t` of a kind is found in one of some catalogs. */
export const inCatalogs = (kind: ListedKind, catalogs: readonly number[]): RawBuilder<SqlBool> =>
  kind === 'artist'
    ? sql<SqlBool>`exists (select from library.artist_catalog c where c.artist_id = t.id and ${onlyIn('c.catalog_id', catalogs)})`
    : sql<SqlBool>`${onlyIn('t.catalog_id', catalogs)}`;

/** Reads a text that changes whenever the list's content may have changed. */
const versionOf = async (db: ReadDatabase, kind: ListedKind): Promise<string> => {
  const rows = await db
    .selectFrom('library.counter')
    .select(['catalog_id', 'version'])
    .where('kind', '=', kind)
    .orderBy('catalog_id')
    .execute();
  return rows.map((row) => `${row.catalog_id}:${row.version}`).join(',');
};

/** Skipping more rows than this takes longer than reading a page. */
const FAR_ROWS = 20_000;
/** Ids between two cursors of a full pass. */
const IDS_BETWEEN_MARKS = 2000;

interface Whole {
  readonly kind: ListedKind;
  /** The list's name with its version. */
  readonly name: string;
  readonly limits: RawBuilder<SqlBool>;
}

/** Records cursors over the whole list: one index scan instead of one for each far page. */
const noteCursors = async (db: ReadDatabase, cursors: PageCursors, { kind, name, limits }: Whole): Promise<void> => {
  const { rows } = await sql<{ last: number; n: number }>`
    select max(t.id) as last, count(*)::integer as n from ${sql.table(`library.${kind}`)} t where ${limits} group by t.id / ${IDS_BETWEEN_MARKS} order by 1
  `.execute(db);
  let offset = 0;
  for (const { last, n } of rows) {
    offset += n;
    cursors.note(name, offset, last);
  }
};

const startOf = async (db: ReadDatabase, cursors: PageCursors, whole: Whole, offset: number): Promise<PageStart> => {
  const start = cursors.startOf(whole.name, offset);
  if (start.skip <= FAR_ROWS || !cursors.jumpsAgain(whole.name)) return start;
  await noteCursors(db, cursors, whole);
  return cursors.startOf(whole.name, offset);
};

/** A page of everything of a kind, by id: the order in which pages neither overlap nor skip. */
export const pageOfAll = async (
  db: ReadDatabase,
  cursors: PageCursors,
  list: { kind: ListedKind; scope: CatalogScope },
  page: Page,
): Promise<number[]> => {
  const { kind, scope } = list;
  if (page.limit === 0 || (scope !== 'all' && scope.length === 0)) return [];
  const name = `${kind}/${scope === 'all' ? scope : scope.join('+')}@${await versionOf(db, kind)}`;
  const limits = scope === 'all' ? listed[kind] : sql<SqlBool>`${listed[kind]} and ${inCatalogs(kind, scope)}`;
  const start = await startOf(db, cursors, { kind, name, limits }, page.offset);
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(`library.${kind}`)} t where t.id > ${start.afterId} and ${limits} order by t.id limit ${page.limit} offset ${start.skip}
  `.execute(db);
  const ids = rows.map((row) => row.id);
  const last = ids.at(-1);
  if (last !== undefined) cursors.note(name, page.offset + ids.length, last);
  return ids;
};
