import { sharedKinds } from '@continuo/contracts';
import { sql, type SqlBool } from 'kysely';
import { byColumns, type ListSource } from '../reads/lists/list-query.js';
import { idFilter, textFilters } from '../reads/lists/text-filters.js';
import { isVisibleArtist } from '../reads/visibility/artist-visibility.js';
import { ownOrAdministered } from '../reads/visibility/ownership.js';
import { mayOpen } from '../reads/visibility/playlist-access.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../reads/visibility/viewer.js';
import { type Kind, wholeName } from './kind.js';

const kinds: readonly string[] = sharedKinds;
const A_DAY_MS = 86_400_000;

/** Shares with the name and the place of what they show, of several things the first. */
const named = sql`(select s.*, coalesce(so.title, al.name, da.name, ar.name, pl.name, sl.name, vi.title, pc.title, pe.title, '') as title,
    coalesce(so.title_sort, al.name_sort, da.name_sort, ar.name_sort, pl.name_sort, sl.name_sort, vi.title_sort, pc.title_sort, pe.title_sort, '') as title_sort,
    coalesce(so.catalog_id, al.catalog_id, da.catalog_id, vi.catalog_id, pc.catalog_id, pe.catalog_id) as catalog_id, coalesce(pl.id, sl.id) as list_id,
    coalesce(pl.owner_id, sl.owner_id) as owner_id, coalesce(pl.is_public, sl.is_public) as is_public,
    coalesce(pl.collaborator_ids, sl.collaborator_ids) as collaborator_ids
  from social.share s
  left join library.song so on s.kind = 'song' and so.id = s.object_id
  left join library.album al on s.kind = 'album' and al.id = s.object_id
  left join library.album_disk ad on s.kind = 'album_disk' and ad.id = s.object_id
  left join library.album da on da.id = ad.album_id
  left join library.artist ar on s.kind = 'artist' and ar.id = s.object_id
  left join library.playlist pl on s.kind = 'playlist' and pl.id = s.object_id
  left join library.smartlist sl on s.kind = 'search' and sl.id = s.object_id
  left join library.video vi on s.kind = 'video' and vi.id = s.object_id
  left join library.podcast pc on s.kind = 'podcast' and pc.id = s.object_id
  left join library.podcast_episode pe on s.kind = 'podcast_episode' and pe.id = s.object_id) t`;

// Who does not see everything finds only shares of what they see, and none of what is gone.
const isSeen = (viewer: Viewer) =>
  seesAll(viewer)
    ? sql<SqlBool>`(t.list_id is null or ${mayOpen(viewer)})`
    : sql<SqlBool>`case when t.kind in ('playlist', 'search') then t.list_id is not null and ${mayOpen(viewer)} when t.kind = 'artist'
        then ${isVisibleArtist(viewer, sql`t.object_id`)}
        else coalesce(${inVisibleCatalogs(viewer, sql`t.catalog_id`)}, false) end`;

const title = byColumns(sql`t.title_sort`);

const source: ListSource = { from: sql`social.share t`, visible: (viewer) => ownOrAdministered(viewer, sql`t.user_id`) };

/** Shares of the viewer, of all accounts for administrators. There are few, and visits change them all the time. */
export const share = {
  source,
  list: {
    volatile: true,
    from: named,
    visible: (viewer) => sql<SqlBool>`(${ownOrAdministered(viewer, sql`t.user_id`)} and ${isSeen(viewer)})`,
    filters: {
      ...textFilters({ name: sql`t.title`, sortKey: sql`t.title_sort` }),
      object_type: {
        where: (value) => {
          if (value === '') return undefined;
          const kind = value.toLowerCase();
          return kinds.includes(kind) ? sql<SqlBool>`t.kind = ${kind}` : sql<SqlBool>`false`;
        },
      },
      user: idFilter((id) => sql<SqlBool>`t.user_id = ${id}::bigint`),
    },
    sorts: {
      id: byColumns(),
      name: title,
      title,
      allow_download: byColumns(sql`t.allow_download`),
      allow_stream: byColumns(sql`t.allow_stream`),
      counter: byColumns(sql`t.visit_count`),
      creation_date: byColumns(sql`t.created_at_ms`),
      // `greatest` leaves out what is null, which here means never.
      expire: byColumns(
        sql`case when t.expires_at_ms is null then 0 else greatest(1, ceil((t.expires_at_ms - t.created_at_ms) / ${sql.lit(A_DAY_MS)}::numeric)) end`,
      ),
      lastvisit_date: byColumns(sql`coalesce(t.last_visited_at_ms, 0)`),
      max_counter: byColumns(sql`t.max_visits`),
      object: byColumns(sql`t.object_id`),
      object_type: byColumns(sql`t.kind collate "C"`),
      user: byColumns(sql`t.user_id`),
    },
  },
  // What a share is called is what its owner says of it.
  names: { ...source, ...wholeName(sql`t.description`) },
} satisfies Kind;
