import { sql, type SqlBool } from 'kysely';
import { inVisibleCatalogs, type Viewer } from '../../reads/visibility/viewer.js';
import { dateCondition, daysCondition, idOperand, recentOperand } from '../operands.js';
import { col, type Related } from '../subject.js';
import type { Condition, Value } from '../text-tests.js';
import { bool, date, days, num, oneOf, other, text, textOf, type DraftOptions, type Making, type RuleDraft } from './rows.js';

const INSIDE = sql`case when f.path = '' then '' else f.path || '/' end || x.file_name`;

/** Returns the catalog's root for paths; empty for viewers who may not see server paths. */
export const rootFor = ({ hidesServerPaths }: Viewer, root: Value): Value => (hidesServerPaths === true ? sql`''` : sql`(${root} || '/')`);

/** The path of a file: of the song, or of one of its songs. */
export const file: RuleDraft = text('file', 'Filename', (test, { subject, call }) =>
  subject.on.song(
    (alias) =>
      sql<SqlBool>`${col(alias, 'id')} in (
        select x.id from library.song x join library.folder f on f.id = x.folder_id join library.catalog c on c.id = f.catalog_id where ${test(sql`${rootFor(call.viewer, sql`c.path`)} || ${INSIDE}`)})`,
  ),
);

const ADDED = sql`t.added_at_ms`;
const UPDATED = sql`t.updated_at_ms`;

/** When it came into the library and when it last changed. */
export const added = date('added', 'Date Added', ({ call }) => dateCondition(call, ADDED));
export const updated = date('updated', 'Date Updated', ({ call }) => dateCondition(call, UPDATED));
export const daysAdded = days('days_added', 'Added', ({ call }) => daysCondition(call, ADDED));
export const daysUpdated = days('days_updated', 'Updated', ({ call }) => daysCondition(call, UPDATED));

const recent =
  (table: string, column: string) =>
  ({ call }: Making): Condition =>
    sql<SqlBool>`t.id in (select x.id from ${sql.table(table)} x where ${inVisibleCatalogs(call.viewer, sql`x.catalog_id`)}
      order by ${col('x', column)} desc, x.id desc limit ${recentOperand(call.rule)})`;

/** Among the last so many additions of its kind that the viewer may see. */
export const recentAdded = (table: string): RuleDraft =>
  other('recent_added', 'Recently Added', { family: 'recent_added', widget: { input: 'number' } }, recent(table, 'added_at_ms'));
export const recentUpdated = (table: string): RuleDraft =>
  other('recent_updated', 'Recently Updated', { family: 'recent_updated', widget: { input: 'number' } }, recent(table, 'updated_at_ms'));

/** In a catalog, for things that are in one. */
export const catalog: RuleDraft = oneOf('catalog', 'Catalog', ({ call }) => sql<SqlBool>`t.catalog_id = ${idOperand(call.rule)}`, {
  select: 'catalogs',
});

/** In a catalog, for artists, who may be in several: none of the viewer's hidden ones counts. */
export const artistCatalog: RuleDraft = oneOf(
  'catalog',
  'Catalog',
  ({ call }) =>
    sql<SqlBool>`t.id in (select ac.artist_id from library.artist_catalog ac where ac.catalog_id = ${idOperand(call.rule)} and ${inVisibleCatalogs(call.viewer, sql`ac.catalog_id`)})`,
  { select: 'catalogs' },
);

const size = (name: string, label: string, column: string, kind: Related): RuleDraft =>
  num(name, label, (comparison, { subject }) =>
    subject.on[kind](
      (alias) =>
        sql<SqlBool>`${col(alias, 'art_hash')} in (select i.hash from library.art i where ${col('i', column)} is not null and ${comparison.test(col('i', column))})`,
    ),
  );

/** Stored art of an album (its disks have the same) or an artist. */
export const image = (kind: 'album' | 'artist'): readonly RuleDraft[] => [
  bool('has_image', 'Local Image', ({ subject }) => subject.on[kind]((alias) => sql<SqlBool>`${col(alias, 'art_hash')} is not null`)),
  size('image_width', 'Image Width', 'width_px', kind),
  size('image_height', 'Image Height', 'height_px', kind),
];

const words: Readonly<Record<Related, string>> = { song: 'Song', album: 'Album', artist: 'Artist' };

/** MusicBrainz ids: of the thing itself, then of what belongs to it. */
export const mbids = (own: Related, aliases: readonly string[], ...others: readonly Related[]): readonly RuleDraft[] => {
  const row = (name: string, label: string, kind: Related, options: DraftOptions = {}): RuleDraft =>
    text(name, label, textOf(kind, 'mbid'), { ...options, optional: true });
  return [
    row('mbid', 'MusicBrainz ID', own, { aliases }),
    ...others.map((kind) => row(`mbid_${kind}`, `MusicBrainz ID (${words[kind]})`, kind)),
  ];
};

const seen = (viewer: Viewer, alias: string): Condition => inVisibleCatalogs(viewer, col<number>(alias, 'catalog_id'));

/** Credit table of a kind. */
interface Credits {
  readonly table: string;
  readonly owner: string;
}

/** Ids of rows with the name and the credits of another visible row. The names that come twice are found first: credits are put together for those alone. */
const twins = (rows: Value, name: string, credits: Credits, listed: Condition): Value => {
  const named = col('x', name);
  return sql`
    select d.id from (
      select w.id, count(*) over (partition by w.name, w.credits) as alike
      from (
        select x.id, ${named} as name, array_agg(q.artist_id order by q.artist_id) as credits
        from ${rows} x left join ${sql.table(credits.table)} q on ${col('q', credits.owner)} = x.id
        where ${listed} and ${named} in (select ${named} from ${rows} x where ${listed} group by ${named} having count(*) > 1)
        group by x.id, ${named}
      ) w
    ) d where d.alike > 1`;
};

const SONG_CREDITS: Credits = { table: 'library.song_artist', owner: 'song_id' };
const ALBUM_CREDITS: Credits = { table: 'library.album_artist', owner: 'album_id' };

/** Songs with the title and the artists of another. */
export const twinSongs = (viewer: Viewer): Value => twins(sql`library.song`, 'title_sort', SONG_CREDITS, seen(viewer, 'x'));

/** Albums with the name and the artists of another. */
export const twinAlbums = (viewer: Viewer): Value =>
  twins(sql`library.album`, 'name_sort', ALBUM_CREDITS, sql<SqlBool>`x.song_count > 0 and ${seen(viewer, 'x')}`);

/** An album that looks duplicated. */
export const hasTwinAlbum = ({ subject, call }: Making): Condition =>
  subject.on.album((alias) => sql<SqlBool>`${col(alias, 'id')} in (${twinAlbums(call.viewer)})`);

/** Albums and disks whose track numbers some visible songs share. A song without a number shares none. */
export const clashingTracks = (viewer: Viewer, keys: Value): Value =>
  sql`select ${keys} from library.song s where s.track > 0 and ${seen(viewer, 's')} group by s.album_id, s.disk, s.track having count(*) > 1`;

/** Songs that share their track number with another of the same disk. */
export const clashingSongs = (viewer: Viewer): Value =>
  sql`select d.id from (
    select s.id, count(*) over (partition by s.album_id, s.disk, s.track) as alike from library.song s where s.track > 0 and ${seen(viewer, 's')}
  ) d where d.alike > 1`;
