import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Page } from './album-list.reads.js';
import type { CatalogScope } from '../visibility/catalog-scope.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { inCatalogs, listed, type ListedKind } from '../lists/whole-list.reads.js';

/** Texts that hold an id of a kind, as the catalogue has them indexed: recording and track, release and release group. */
const idTexts: Readonly<Record<ListedKind, readonly RawBuilder<string>[]>> = {
  song: [sql`lower(t.mbid)`, sql`lower(split_part(split_part(t.doc, '"mbTrackId":"', 2), '"', 1))`],
  album: [sql`lower(t.mbid)`, sql`lower(t.mbid_group)`],
  artist: [sql`lower(t.mbid)`],
};

/** Ids of the things of a kind that have a MusicBrainz id, given in lower case. */
export const idsByMusicBrainzId = async (
  db: ReadDatabase,
  { kind, scope }: { readonly kind: ListedKind; readonly scope: CatalogScope },
  mbid: string,
  { limit, offset }: Page,
): Promise<number[]> => {
  if (limit === 0) return [];
  const isIt = sql.join(
    idTexts[kind].map((text) => sql<SqlBool>`${text} = ${mbid}`),
    sql` or `,
  );
  const visible = scope === 'all' ? listed[kind] : sql<SqlBool>`${listed[kind]} and ${inCatalogs(kind, scope)}`;
  const { rows } = await sql<{ id: number }>`
    select t.id from ${sql.table(`library.${kind}`)} t where (${isIt}) and ${visible} order by t.id limit ${limit} offset ${offset}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};
