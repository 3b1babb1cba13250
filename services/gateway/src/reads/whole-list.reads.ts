import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Page } from './album-list.reads.js';
import { onlyIn, type CatalogScope } from './catalog-scope.reads.js';
import type { PageMarks } from './page-marks.js';

/** The kinds of things that clients copy as a whole, by id. */
export type ListedKind = 'song' | 'album' | 'artist';

const source = {
  song: (db: Kysely<ReadModel>, scope: CatalogScope) => {
    const query = db.selectFrom('library.song').select('id');
    return scope === 'all' ? query : query.where(onlyIn('catalog_id', scope));
  },
  album: (db: Kysely<ReadModel>, scope: CatalogScope) => {
    const query = db.selectFrom('library.album').select('id').where('song_count', '>', 0);
    return scope === 'all' ? query : query.where(onlyIn('catalog_id', scope));
  },
  artist: (db: Kysely<ReadModel>, scope: CatalogScope) => {
    const query = db
      .selectFrom('library.artist')
      .select('id')
      .where((eb) => eb.or([eb('song_count', '>', 0), eb('album_count', '>', 0)]));
    if (scope === 'all') return query;
    return query.where((eb) =>
      eb.exists(eb.selectFrom('library.artist_catalog as c').select('c.artist_id').whereRef('c.artist_id', '=', 'library.artist.id').where(onlyIn('c.catalog_id', scope))),
    );
  },
} as const;

/** What a list's content depends on, as text that changes whenever the content may have changed. */
const versionOf = async (db: Kysely<ReadModel>, kind: ListedKind): Promise<string> => {
  const rows = await db.selectFrom('library.counter').select(['catalog_id', 'version']).where('kind', '=', kind).orderBy('catalog_id').execute();
  return rows.map((row) => `${row.catalog_id}:${row.version}`).join(',');
};

/** A page of everything of a kind, by id: the order in which pages neither overlap nor skip. */
export const pageOfAll = async (db: Kysely<ReadModel>, marks: PageMarks, list: { kind: ListedKind; scope: CatalogScope }, page: Page): Promise<number[]> => {
  const { kind, scope } = list;
  if (page.limit === 0 || (scope !== 'all' && scope.length === 0)) return [];
  const name = `${kind}/${scope === 'all' ? scope : scope.join('+')}@${await versionOf(db, kind)}`;
  const start = marks.startOf(name, page.offset);
  const query = source[kind](db, scope).where('id', '>', start.afterId).orderBy('id');
  const ids = (await query.limit(page.limit).offset(start.skip).execute()).map((row) => row.id);
  const last = ids.at(-1);
  if (last !== undefined) marks.note(name, page.offset + ids.length, last);
  return ids;
};
