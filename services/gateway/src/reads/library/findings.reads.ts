import { sql, type RawBuilder } from 'kysely';
import { visibleArtists } from '../../search/visibility.js';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** Something in the library that may want care: objects that belong together, with what tells them apart. */
export interface Finding {
  /** Orders findings and is the same as long as they are. */
  readonly mark: string;
  readonly name: string;
  readonly objects: readonly FoundObject[];
}

/** An object of a finding. */
export interface FoundObject {
  readonly type: 'song' | 'album' | 'artist' | 'catalog';
  readonly id: number;
  readonly name: string;
  /** Path of a song, artist of an album, reason for which files of a catalog were left out; empty for none. */
  readonly detail: string;
  readonly songCount: number;
  readonly sizeBytes: number;
  /** Files that scans left out, of a catalog. */
  readonly filesSkipped?: number;
}

/** Kinds of findings. */
export const findingKinds = ['albums-without-art', 'duplicate-songs', 'split-albums', 'similar-artists', 'skipped-files'] as const;
export type FindingKind = (typeof findingKinds)[number];

interface Wanted {
  readonly viewer: Viewer;
  /** Mark of the last finding of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** Most objects that are shown of one finding. */
const MAX_OBJECTS = 20;

/** Punctuation and blanks, in which spellings of one name differ; by number the curved quotation marks, the middle dot, the ellipsis, hyphen and dashes. */
const PUNCTUATION = String.raw`[\s.,:;!?'"\u2018\u2019\u201c\u201d\u201e/\\|()\[\]{}*+_~\u00b7\u2026\u2010\u2013\u2014-]`;

/** Builds the statement of a page: marks in order, at most {@link MAX_OBJECTS} objects of each. */
const page = (marks: RawBuilder<unknown>, objects: RawBuilder<unknown>): RawBuilder<Finding> => sql<Finding>`
  with marked as materialized (${marks})
  select m.mark, min(o.name) as name, json_agg(o order by o.id, o.detail) as objects
  from marked m cross join lateral (${objects} order by id limit ${MAX_OBJECTS}) o group by m.mark order by m.mark collate "C"`;

/**
 * Songs of one length whose sound is the same in several files; one pass over the index of fingerprints at most. A fingerprint is of the beginning, so that the length has
 * to be the same, too. Tracks of one file are none.
 */
const duplicateSongs = ({ viewer, after, limit }: Wanted): RawBuilder<Finding> => {
  const isSeen = inVisibleCatalogs(viewer, sql`s.catalog_id`);
  const [afterPrint = ''] = after.split(' ');
  return page(
    // Which files they are is looked at only for fingerprints that several songs have.
    sql`select * from (
        select n.sound_print || ' ' || to_char(d.duration_ms, 'FM000000000000') as mark, n.sound_print, d.duration_ms from (
          select s.sound_print from library.song s where s.sound_print >= ${afterPrint}
          group by s.sound_print having count(*) > 1 order by s.sound_print
        ) n cross join lateral (
          select s.duration_ms from library.song s where s.sound_print = n.sound_print and ${isSeen}
          group by s.duration_ms having count(distinct (s.folder_id, split_part(s.file_name, '/', 1))) > 1
        ) d
      ) f where f.mark collate "C" > ${after} order by f.mark collate "C" limit ${limit}`,
    sql`select 'song' as type, s.id, s.title as name, concat_ws('/', nullif(d.path, ''), s.file_name) as detail, 1 as "songCount", s.size_bytes as "sizeBytes"
      from library.song s join library.folder d on d.id = s.folder_id
      where s.sound_print = m.sound_print and s.duration_ms = m.duration_ms and ${isSeen}`,
  );
};

const albumColumns = sql`'album' as type, a.id, a.name, coalesce(ar.name, '') as detail, a.song_count as "songCount", a.size_bytes as "sizeBytes"`;

/** Albums without a picture, by number; one pass over the albums at most. */
const albumsWithoutArt = ({ viewer, after, limit }: Wanted): RawBuilder<Finding> =>
  page(
    sql`select to_char(a.id, 'FM000000000000') as mark, a.id from library.album a
      where a.song_count > 0 and a.art_hash is null and a.id > ${Number(after)} and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)}
      order by a.id limit ${limit}`,
    sql`select ${albumColumns} from library.album a left join library.artist ar on ar.id = a.album_artist_id where a.id = m.id`,
  );

/**
 * Albums of one name with songs in the same folder: tags that differ have split them. Albums of the name elsewhere are others. Songs are looked at only of names that
 * several albums have.
 */
const splitAlbums = ({ viewer, after, limit }: Wanted): RawBuilder<Finding> => {
  const isSeen = inVisibleCatalogs(viewer, sql`a.catalog_id`);
  return page(
    sql`select * from (
        select n.name_sort || ' ' || to_char(d.folder_id, 'FM000000000000') as mark, n.name_sort, d.folder_id from (
          select a.name_sort from library.album a where a.song_count > 0 and ${isSeen} group by a.name_sort having count(*) > 1
        ) n cross join lateral (
          select s.folder_id from library.album a join library.song s on s.album_id = a.id where a.name_sort = n.name_sort and a.song_count > 0 and ${isSeen}
          group by s.folder_id having count(distinct a.id) > 1
        ) d
      ) f where f.mark collate "C" > ${after} order by f.mark collate "C" limit ${limit}`,
    sql`select ${albumColumns} from library.album a left join library.artist ar on ar.id = a.album_artist_id
      where a.name_sort = m.name_sort and a.song_count > 0 and ${isSeen}
        and exists (select from library.song s where s.album_id = a.id and s.folder_id = m.folder_id)`,
  );
};

/** Artists whose names differ in punctuation, blanks and the word for "and" alone; one pass over the artists. */
const similarArtists = ({ viewer, after, limit }: Wanted): RawBuilder<Finding> => {
  const bare = sql`regexp_replace(replace(a.name_sort, '&', 'and'), ${PUNCTUATION}, '', 'g') collate "C"`;
  return page(
    sql`select k.mark, array_agg(k.id) as ids from (select a.id, ${bare} as mark from library.artist a where ${visibleArtists(viewer, 'any', 'a')}) k
      where k.mark > ${after} group by k.mark having count(*) > 1 order by k.mark limit ${limit}`,
    sql`select 'artist' as type, a.id, a.name, '' as detail, a.song_count as "songCount", 0 as "sizeBytes" from library.artist a where a.id = any(m.ids)`,
  );
};

/** Catalogs with files that scans left out, by number, with the number of files for each reason; one pass over the files. */
const skippedFiles = ({ viewer, after, limit }: Wanted): RawBuilder<Finding> =>
  page(
    sql`select to_char(n.catalog_id, 'FM000000000000') as mark, n.catalog_id, array_agg(n.reason order by n.reason) as reasons, array_agg(n.files order by n.reason) as files
      from (
        select d.catalog_id, f.skip_reason as reason, count(*) as files from library.file f join library.folder d on d.id = f.folder_id
        where f.kind = 'skipped' and d.catalog_id > ${Number(after)} and ${inVisibleCatalogs(viewer, sql`d.catalog_id`)}
        group by d.catalog_id, f.skip_reason
      ) n group by n.catalog_id order by n.catalog_id limit ${limit}`,
    sql`select 'catalog' as type, c.id, c.name, n.reason as detail, 0 as "songCount", 0 as "sizeBytes", n.files as "filesSkipped"
      from library.catalog c cross join unnest(m.reasons, m.files) as n(reason, files) where c.id = m.catalog_id`,
  );

const statements: Readonly<Record<FindingKind, (wanted: Wanted) => RawBuilder<Finding>>> = {
  'duplicate-songs': duplicateSongs,
  'albums-without-art': albumsWithoutArt,
  'split-albums': splitAlbums,
  'similar-artists': similarArtists,
  'skipped-files': skippedFiles,
};

/** Findings of a kind by their marks, those after one of them. */
export const findingsAfter = async (db: ReadDatabase, kind: FindingKind, wanted: Wanted): Promise<Finding[]> =>
  (await statements[kind](wanted).execute(db)).rows;
