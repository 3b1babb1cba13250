import type { ReadDatabase } from './database.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Page } from './album-list.reads.js';
import { onlyIn, type CatalogScope } from './catalog-scope.reads.js';
import type { PageMarks } from './page-marks.js';

/** The kinds of things that clients copy as a whole, by id. */
export type ListedKind = 'song' | 'album' | 'artist';

const listed: Record<ListedKind, RawBuilder<SqlBool>> = {
  song: sql<SqlBool>`true`,
  album: sql<SqlBool>`t.song_count > 0`,
  artist: sql<SqlBool>`(t.song_count > 0 or t.album_count > 0)`,
};

const inCatalogs = (kind: ListedKind, catalogs: readonly number[]): RawBuilder<SqlBool> =>
  kind === 'artist'
    ? sql<SqlBool>`exists (select from library.artist_catalog c where c.artist_id = t.id and ${onlyIn('c.catalog_id', catalogs)})`
    : sql<SqlBool>`${onlyIn('t.catalog_id', catalogs)}`;

/** What a list's content depends on, as text that changes whenever the content may have changed. */
const versionOf = async (db: ReadDatabase, kind: ListedKind): Promise<string> => {
  const rows = await db
    .selectFrom('library.counter')
    .select(['catalog_id', 'version'])
    .where('kind', '=', kind)
    .orderBy('catalog_id')
    .execute();
  return rows.map((row) => `${row.catalog_id}:${row.version}`).join(',');
};

/** A page of everything of a kind, by id: the order in which pages neither overlap nor skip. */
export const pageOfAll = async (
  db: ReadDatabase,
  marks: PageMarks,
  list: { kind: ListedKind; scope: CatalogScope },
  page: Page,
): Promise<number[]> => {
  const { kind, scope } = list;
  if (page.limit === 0 || (scope !== 'all' && scope.length === 0)) return [];
  const name = `${kind}/${scope === 'all' ? scope : scope.join('+')}@${await versionOf(db, kind)}`;
  const start = marks.startOf(name, page.offset);
  const limits = scope === 'all' ? listed[kind] : sql<SqlBool>`${listed[kind]} and ${inCatalogs(kind, scope)}`;
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(`library.${kind}`)} t where t.id > ${start.afterId} and ${limits} order by t.id limit ${page.limit} offset ${start.skip}
  `.execute(db);
  const ids = rows.map((row) => row.id);
  const last = ids.at(-1);
  if (last !== undefined) marks.note(name, page.offset + ids.length, last);
  return ids;
};
