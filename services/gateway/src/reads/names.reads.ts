import { splitName } from '@continuo/contracts';
import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { isVisibleArtist } from './artist-visibility.js';
import type { ReadDatabase } from './database.js';
import type { IdList } from './id-list.js';
import { ownOrAdministered } from './ownership.js';
import { mayOpen } from './playlist-access.js';
import { inOrder } from './songs.reads.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

/** Kinds of things that can be listed by name alone. */
export type NamedKind =
  | 'song'
  | 'album'
  | 'album_disk'
  | 'artist'
  | 'catalog'
  | 'share'
  | 'video'
  | 'live_stream'
  | 'podcast'
  | 'podcast_episode'
  | 'playlist'
  | 'playlist_search';

/** Those, and smartlists under their own numbers. */
type Named = NamedKind | 'search';

/** A thing by its name; `prefix` is a leading article, `basename` the rest. */
export interface NamedView {
  readonly id: number;
  readonly name: string;
  readonly prefix: string | null;
  readonly basename: string;
}

interface NamedRow {
  readonly id: number;
  readonly name: string;
  /** Null, as `basename` is, where the read model keeps the name in one piece. */
  readonly prefix: string | null;
  readonly basename: string | null;
}

const inArtistCatalogs = (viewer: Viewer): RawBuilder<unknown> => isVisibleArtist(viewer, sql`t.id`);

/** Names of playlists have no article. */
const playlists = {
  from: sql`library.playlist t`,
  name: sql`t.name`,
  parts: sql`null as prefix, t.name as basename`,
  visible: (viewer: Viewer) => mayOpen(viewer),
};

/** Where the name of each kind is. */
const sources: Readonly<
  Record<
    Named,
    { from: RawBuilder<unknown>; name: RawBuilder<unknown>; parts: RawBuilder<unknown>; visible: (viewer: Viewer) => RawBuilder<unknown> }
  >
> = {
  song: {
    from: sql`library.song t`,
    name: sql`t.title`,
    parts: sql`null as prefix, null as basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  },
  album: {
    from: sql`library.album t`,
    name: sql`t.name`,
    parts: sql`t.prefix, t.basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  },
  album_disk: {
    from: sql`library.album_disk t join library.album a on a.id = t.album_id`,
    name: sql`a.name`,
    parts: sql`a.prefix, a.basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  },
  video: {
    from: sql`library.video t`,
    name: sql`t.title`,
    parts: sql`null as prefix, null as basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  },
  live_stream: {
    from: sql`library.live_stream t`,
    name: sql`t.name`,
    parts: sql`null as prefix, t.name as basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  },
  podcast: {
    from: sql`library.podcast t`,
    name: sql`t.title`,
    parts: sql`null as prefix, t.title as basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  },
  podcast_episode: {
    from: sql`library.podcast_episode t`,
    name: sql`t.title`,
    parts: sql`null as prefix, t.title as basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  },
  artist: { from: sql`library.artist t`, name: sql`t.name`, parts: sql`t.prefix, t.basename`, visible: inArtistCatalogs },
  catalog: {
    from: sql`library.catalog t`,
    name: sql`t.name`,
    parts: sql`null as prefix, null as basename`,
    visible: (viewer) => inVisibleCatalogs(viewer, sql`t.id`),
  },
  playlist: playlists,
  search: { ...playlists, from: sql`library.smartlist t` },
  // Smartlists have negative numbers.
  playlist_search: {
    ...playlists,
    from: sql`(select id, name, owner_id, is_public, collaborator_ids from library.playlist
      union all select -id, name, owner_id, is_public, collaborator_ids from library.smartlist) t`,
  },
  // What a share is called is what its owner says of it.
  share: {
    from: sql`social.share t`,
    name: sql`t.description`,
    parts: sql`null as prefix, t.description as basename`,
    visible: (viewer) => ownOrAdministered(viewer, sql`t.user_id`),
  },
};

/** Names by id, in the order of the ids; what is gone or may not be seen is left out. */
export const namesByIds = async (db: ReadDatabase, kind: Named, ids: ArrayLike<number>, viewer: Viewer): Promise<NamedView[]> => {
  if (ids.length === 0) return [];
  const { from, name, parts, visible } = sources[kind];
  const { rows } = await sql<NamedRow>`
    select t.id, ${name} as name, ${parts} from ${from} where t.id = any(${Array.from(ids)}::int[]) and ${visible(viewer)}`.execute(db);
  return inOrder(ids, rows).map(({ id, name: text, prefix, basename }) =>
    basename === null ? { id, name: text, ...splitName(text) } : { id, name: text, prefix, basename },
  );
};

/** How many names are hashed by one statement: its answer is some megabytes at most. */
const HASHED_AT_ONCE = 20_000;
/** Longer lists are hashed by their ids alone: reading a million names takes seconds, which no page may cost (choices.md row 3). */
const MAX_HASHED = 100_000;

const hashNames = async (db: ReadDatabase, kind: NamedKind, ids: Int32Array): Promise<string> => {
  const { from, name } = sources[kind];
  const hash = createHash('md5').update(`a:${ids.length}:{`);
  for (let start = 0; start < ids.length; start += HASHED_AT_ONCE) {
    const chunk = Array.from(ids.subarray(start, start + HASHED_AT_ONCE));
    const { rows } = await sql<{ text: string | null }>`
      select string_agg('i:' || (x.place + ${start - 1}) || ';a:2:{s:2:"id";i:' || x.id || ';s:4:"name";s:' || octet_length(n.name) || ':"' || n.name || '";}', ''
        order by x.place) as text
      from unnest(${chunk}::int[]) with ordinality x(id, place)
      join (select t.id, ${name} as name from ${from} where t.id = any(${chunk}::int[])) n on n.id = x.id`.execute(db);
    hash.update(rows[0]?.text ?? '');
  }
  return hash.update('}').digest('hex');
};

// A kept list lives as long as the catalogue's version, and so does the hash of its names.
const hashes = new WeakMap<IdList, Promise<string>>();

/**
 * The content hash of a list of names: MD5 over the PHP serialisation of its ordered id and name pairs (native README section 7), up to a hundred
 * thousand of them. It is worked out once for each kept list, in steps, so that no page after the first pays for it.
 */
export const namesMd5 = async (db: ReadDatabase, kind: NamedKind, list: IdList): Promise<string> => {
  if (list.total > MAX_HASHED) return list.md5;
  const known = hashes.get(list);
  if (known) return known;
  const hashing = hashNames(db, kind, list.ids);
  hashes.set(list, hashing);
  hashing.catch(() => hashes.delete(list));
  return await hashing;
};
