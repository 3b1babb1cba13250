import { sql } from 'kysely';
import { visibleCatalogs } from '../reads/visibility/catalog-scope.reads.js';
import type { ReadDatabase } from '../reads/database/database.js';
import { isListedFor } from '../reads/visibility/playlist-access.js';
import { inVisibleCatalogs, type Viewer } from '../reads/visibility/viewer.js';
import type { OptionList } from './rule.js';

/** A choice of a widget: what is sent as the operand, and what is shown. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

const numbered = (...labels: readonly string[]): Option[] => labels.map((label, index) => ({ value: String(index), label }));
const BITRATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 640, 1280];
/** Songs that are looked at for the names of extra tags: all of them would be too many to read for a list of choices. */
const SAMPLED_SONGS = 2000;
const MAX_OPTIONS = 1000;

const users = async (db: ReadDatabase): Promise<Option[]> => {
  const rows = await db
    .selectFrom('social.user')
    .select(['id', 'username'])
    .where('disabled', '=', false)
    .orderBy('id')
    .limit(MAX_OPTIONS)
    .execute();
  return rows.map(({ id, username }) => ({ value: String(id), label: username }));
};

const catalogs = async (db: ReadDatabase, viewer: Viewer): Promise<Option[]> =>
  (await visibleCatalogs(db, viewer)).map(({ id, name }) => ({ value: String(id), label: name }));

const licenses = async (db: ReadDatabase, viewer: Viewer): Promise<Option[]> => {
  const { rows } = await sql<{ id: number; name: string }>`
    select l.id, l.name from library.license l
    where l.song_count > 0 and exists (select from library.song s where s.license_id = l.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})
    order by l.id limit ${MAX_OPTIONS}`.execute(db);
  return rows.map(({ id, name }) => ({ value: String(id), label: name }));
};

const listsOf = async (table: 'library.playlist' | 'library.smartlist', db: ReadDatabase, viewer: Viewer): Promise<Option[]> => {
  const { rows } = await sql<{ id: number; name: string }>`
    select t.id, t.name from ${sql.table(table)} t where ${isListedFor(viewer.userId)} order by t.name_sort, t.id limit ${MAX_OPTIONS}`.execute(
    db,
  );
  return rows.map(({ id, name }) => ({ value: String(id), label: name }));
};

/** Names of tags without a field of their own, which are their ids: those of some songs, picked at random but always the same. */
const metadata = async (db: ReadDatabase, viewer: Viewer): Promise<Option[]> => {
  const { rows } = await sql<{ name: string }>`
    select distinct k.name collate "C" as name
    from (select s.doc from library.song s where ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} order by s.random_key limit ${SAMPLED_SONGS}) s
    cross join lateral json_object_keys(case when s.doc like '%"extraTags":{%' then s.doc::json -> 'extraTags' else '{}'::json end) k(name)
    order by 1 limit ${MAX_OPTIONS}`.execute(db);
  return rows.map(({ name }) => ({ value: name, label: name }));
};

const lists: Readonly<Record<OptionList, (db: ReadDatabase, viewer: Viewer) => Option[] | Promise<Option[]>>> = {
  stars: () => numbered('0 Stars', '1 Star', '2 Stars', '3 Stars', '4 Stars', '5 Stars'),
  bitrates: () => BITRATES.map((kbps) => ({ value: String(kbps), label: String(kbps) })),
  'list-types': () => numbered('public', 'private'),
  states: () => numbered('skipped', 'pending', 'completed'),
  users,
  catalogs,
  licenses,
  metadata,
  playlists: (db, viewer) => listsOf('library.playlist', db, viewer),
  smartlists: (db, viewer) => listsOf('library.smartlist', db, viewer),
};

/** The choices of some lists, each read once. */
export const widgetOptions = async (
  db: ReadDatabase,
  viewer: Viewer,
  wanted: ReadonlySet<OptionList>,
): Promise<ReadonlyMap<OptionList, readonly Option[]>> => {
  const read = [...wanted].map(async (list) => [list, await lists[list](db, viewer)] as const);
  return new Map(await Promise.all(read));
};
