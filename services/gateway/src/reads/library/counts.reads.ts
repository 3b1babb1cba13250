import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import type { Lists } from '../lists/lists.js';
import { ownOrAdministered } from '../visibility/ownership.js';
import { isListedFor } from '../visibility/playlist-access.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../visibility/viewer.js';

/** Counts and times in the handshake. Times in epoch milliseconds, null when nothing happened yet. */
export interface ServerCounts {
  readonly songs: number;
  readonly albums: number;
  readonly artists: number;
  readonly genres: number;
  readonly videos: number;
  readonly labels: number;
  readonly licenses: number;
  readonly users: number;
  /** Those that the viewer finds: public ones, its own and those that are shared with it. */
  readonly playlists: number;
  /** Smartlists, by the same rule. */
  readonly searches: number;
  /** Those that the viewer may manage. */
  readonly shares: number;
  readonly liveStreams: number;
  readonly podcasts: number;
  readonly podcastEpisodes: number;
  readonly catalogs: number;
  readonly maxSong: number;
  readonly maxAlbum: number;
  readonly maxArtist: number;
  readonly maxVideo: number;
  readonly maxPodcast: number;
  readonly maxPodcastEpisode: number;
  readonly lastAddAtMs: number | null;
  readonly lastCleanAtMs: number | null;
  readonly lastChangeAtMs: number | null;
}

const COUNTED = ['song', 'album', 'artist', 'video', 'podcast', 'podcast_episode', 'genre', 'label', 'license'] as const;

/** The totals of somebody who may not see everything: those of the kept lists, which cost nothing once they are there. */
const visibleTotals = async (lists: Lists, viewer: Viewer): Promise<Partial<ServerCounts>> => {
  const all = await Promise.all(COUNTED.map((kind) => lists.ids({ kind, where: [], sort: { name: 'id', descending: false } }, viewer)));
  const [songs, albums, artists, videos, podcasts, podcastEpisodes, genres, labels, licenses] = all.map((list) => list.total);
  const [maxSong, maxAlbum, maxArtist, maxVideo, maxPodcast, maxPodcastEpisode] = all.map((list) => list.ids.at(-1) ?? 0);
  const counted = { songs, albums, artists, videos, podcasts, podcastEpisodes, genres, labels, licenses };
  return { ...counted, maxSong, maxAlbum, maxArtist, maxVideo, maxPodcast, maxPodcastEpisode };
};

/** Reads the totals of what the viewer may see; for who sees everything that is one small statement, whatever the size of the library. */
export const serverCounts = async (
  { db, lists }: { readonly db: ReadDatabase; readonly lists: Lists },
  viewer: Viewer,
): Promise<ServerCounts> => {
  const seen = inVisibleCatalogs(viewer, sql`catalog_id`);
  const { rows } = await sql<{ [K in keyof ServerCounts]: ServerCounts[K] }>`
    select coalesce(sum(total) filter (where kind = 'song'), 0)::int as songs,
      coalesce(sum(total) filter (where kind = 'album'), 0)::int as albums,
      coalesce(sum(total) filter (where kind = 'artist'), 0)::int as artists,
      coalesce(sum(total) filter (where kind = 'genre'), 0)::int as genres,
      coalesce(sum(total) filter (where kind = 'label'), 0)::int as labels,
      coalesce(sum(total) filter (where kind = 'license'), 0)::int as licenses,
      coalesce(max(max_id) filter (where kind = 'song'), 0)::int as "maxSong",
      coalesce(max(max_id) filter (where kind = 'album'), 0)::int as "maxAlbum",
      coalesce(max(max_id) filter (where kind = 'artist'), 0)::int as "maxArtist",
      (select coalesce(max(total), 0)::int from library.video_counter where kind = 'video' and catalog_id = 0) as videos,
      (select coalesce(max(max_id), 0)::int from library.video_counter where kind = 'video' and catalog_id = 0) as "maxVideo",
      (select coalesce(max(total), 0)::int from library.podcast_counter where kind = 'podcast' and catalog_id = 0) as podcasts,
      (select coalesce(max(max_id), 0)::int from library.podcast_counter where kind = 'podcast' and catalog_id = 0) as "maxPodcast",
      (select coalesce(max(total), 0)::int from library.podcast_counter where kind = 'podcast_episode' and catalog_id = 0) as "podcastEpisodes",
      (select coalesce(max(max_id), 0)::int from library.podcast_counter where kind = 'podcast_episode' and catalog_id = 0) as "maxPodcastEpisode",
      (select count(*)::int from social.user where not disabled) as users,
      (select count(*)::int from social.share s where ${ownOrAdministered(viewer, sql`s.user_id`)}) as shares,
      (select count(*)::int from library.playlist p where ${isListedFor(viewer.userId, 'p')}) as playlists,
      (select count(*)::int from library.smartlist p where ${isListedFor(viewer.userId, 'p')}) as searches,
      (select count(*)::int from library.live_stream where ${seen}) as "liveStreams",
      (select count(*)::int from library.catalog where ${inVisibleCatalogs(viewer, sql`id`)}) as catalogs,
      (select max(finished_at_ms) from ingestion.scan where state = 'finished' and ${seen} and mode in ('changes', 'add', 'update')) as "lastAddAtMs",
      (select max(finished_at_ms) from ingestion.scan where state = 'finished' and ${seen} and mode in ('changes', 'clean', 'update')) as "lastCleanAtMs",
      (select max(finished_at_ms) from ingestion.scan where state = 'finished' and ${seen} and songs_added + songs_changed + songs_moved + songs_removed > 0) as "lastChangeAtMs"
    from library.counter where catalog_id = 0
  `.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('an aggregate over the counters gave no row');
  return seesAll(viewer) ? counts : { ...counts, ...(await visibleTotals(lists, viewer)) };
};
