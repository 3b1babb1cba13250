import type { ReadDatabase } from '../../reads/database/database.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Page } from '../../reads/library/album-list.reads.js';
import { onlyIn, type CatalogScope } from '../../reads/visibility/catalog-scope.reads.js';
import type { SearchTerm, SearchWords } from './search-words.js';
import { escapeLike } from '../../reads/lists/text-filters.js';
import type { ListedKind } from '../../reads/lists/whole-list.reads.js';

/**
 * At most so many matches are ranked. A search that is less specific than that is answered from those found first, beside all names that begin with it.
 */
const MAX_CANDIDATES = 5000;

/** Words shorter than this hold no trigram that an index could help with; their beginnings are looked for as text. */
const TRIGRAM_CHARS = 3;

// What may stand between two words: ASCII and Latin-1 punctuation, and the punctuation blocks. Spelled out, because the folded columns have a collation
// that knows no other letters than ASCII.
const BETWEEN_WORDS = '[\\x01-\\x2f\\x3a-\\x60\\x7b-\\xbf\\u2000-\\u206f\\u3000-\\u303f]';

const escapeRegex = (text: string): string => text.replace(/[^\p{L}\p{N} ]/gu, '\\$&');

const matches = (column: RawBuilder<unknown>, { text, exact }: SearchTerm): RawBuilder<SqlBool> => {
  const like = escapeLike(text);
  if (!exact && text.length < TRIGRAM_CHARS) return sql<SqlBool>`(${column} like ${`${like}%`} or ${column} like ${`% ${like}%`})`;
  const regex = `(?:^|${BETWEEN_WORDS})${escapeRegex(text)}${exact ? `(?:$|${BETWEEN_WORDS})` : ''}`;
  return sql<SqlBool>`(${column} like ${`%${like}%`} and ${column} ~ ${regex})`;
};

interface Searched {
  readonly from: RawBuilder<unknown>;
  readonly column: RawBuilder<unknown>;
  /** Condition of listed rows, beside the scope. */
  readonly listed: RawBuilder<SqlBool>;
  readonly inScope: (catalogs: readonly number[]) => RawBuilder<SqlBool>;
}

const ofCatalog = (catalogs: readonly number[]): RawBuilder<SqlBool> => sql<SqlBool>`${onlyIn('t.catalog_id', catalogs)}`;

const searched: Record<ListedKind, Searched> = {
  song: { from: sql`library.song t`, column: sql.ref('t.title_sort'), listed: sql<SqlBool>`true`, inScope: ofCatalog },
  album: { from: sql`library.album t`, column: sql.ref('t.name_sort'), listed: sql<SqlBool>`t.song_count > 0`, inScope: ofCatalog },
  artist: {
    from: sql`library.artist t`,
    column: sql.ref('t.name_sort'),
    listed: sql<SqlBool>`(t.song_count > 0 or t.album_count > 0)`,
    inScope: (catalogs) =>
      sql<SqlBool>`exists (select 1 from library.artist_catalog c where c.artist_id = t.id and ${onlyIn('c.catalog_id', catalogs)})`,
  },
};

interface Search {
  readonly table: Searched;
  readonly scope: CatalogScope;
  readonly words: SearchWords;
  /** Whether a name must hold all terms, or any of them. */
  readonly join: 'all' | 'any';
}

/** Names that begin with the whole search come from the index on names; the others from the trigrams, capped. The best come first, then by name. */
const statement = ({ table, scope, words, join }: Search, page: Page): RawBuilder<{ id: number }> => {
  const { from, column, listed } = table;
  const limits = scope === 'all' ? listed : sql<SqlBool>`${listed} and ${table.inScope(scope)}`;
  const conditions = words.terms.map((term) => matches(column, term));
  const beginning = `${escapeLike(words.whole)}%`;
  const all = sql.join(conditions, sql` and `);
  const held = sql.join(
    conditions.map((condition) => sql`(${condition})::int`),
    sql` + `,
  );
  return sql<{ id: number }>`
    with beginning as materialized (
      select t.id, ${column} as name, ${words.terms.length}::int as held from ${from} where ${column} like ${beginning} and ${all} and ${limits}
      order by ${column}, t.id limit ${page.offset + page.limit}
    ), holding as materialized (
      select t.id, ${column} as name, ${held} as held from ${from}
      where (${join === 'all' ? all : sql.join(conditions, sql` or `)}) and ${limits} limit ${MAX_CANDIDATES}
    )
    select id from (select * from beginning union select * from holding) found
    order by (name = ${words.whole}) desc, (name like ${beginning}) desc, held desc, name, id limit ${page.limit} offset ${page.offset}`;
};

const run = async (db: ReadDatabase, search: Search, page: Page): Promise<number[]> =>
  (await statement(search, page).execute(db)).rows.map((row) => row.id);

/**
 * Ids of the things whose own names hold all the words; when there is no such thing at all, of those that hold any of them. Best matches first.
 * The same search gives the same order, so that its pages fit together.
 */
export const idsByWords = async (
  db: ReadDatabase,
  list: { kind: ListedKind; scope: CatalogScope },
  words: SearchWords,
  page: Page,
): Promise<number[]> => {
  if (page.limit === 0 || page.offset >= MAX_CANDIDATES || (list.scope !== 'all' && list.scope.length === 0)) return [];
  const search: Search = { table: searched[list.kind], scope: list.scope, words, join: 'all' };
  const found = await run(db, search, page);
  if (found.length > 0 || words.terms.length < 2) return found;
  const beyondTheEnd = page.offset > 0 && (await run(db, search, { limit: 1, offset: 0 })).length > 0;
  return beyondTheEnd ? [] : run(db, { ...search, join: 'any' }, page);
};
