import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import {
  sortKey,
  type EpisodeAbout,
  type FeedMemory,
  type PodcastAbout,
  type PodcastEpisodeTable,
  type PodcastEvent,
  type PodcastTable,
  type RecordedEvent,
} from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { Handle } from '../catalogue/handle.js';

type Statement = RawBuilder<unknown>;
type Recorded<T extends PodcastEvent['type']> = RecordedEvent<Extract<PodcastEvent, { type: T }>>;

/** Time of an event, and its position in the log. */
export interface Moment {
  /** Epoch ms. */
  readonly at: number;
  readonly position: number;
}

/** Statements as the projection runs them. */
export const queriesOf = (statements: readonly Statement[], db: Handle): ProjectedQuery[] =>
  statements.map((statement) => rawQuery(statement, db));

const json = (rows: unknown): Statement => sql`${JSON.stringify(rows)}::json`;

/** Adds what `changed` gives (`kind`, `catalog_id`, `total`) to the sums, of each catalog and of all. */
const counted = (changed: Statement): Statement =>
  sql`insert into podcast_counter as t (kind, catalog_id, total)
    select n.kind, c.catalog_id, sum(n.total)::int from (${changed}) as n(kind, catalog_id, total), lateral (values (n.catalog_id), (0)) as c(catalog_id)
      group by n.kind, c.catalog_id order by 1, 2
    on conflict (kind, catalog_id) do update set total = t.total + excluded.total`;

/** Lists of these kinds have changed; ids up to `maxId` were given. */
const noted = (kinds: readonly (keyof typeof listed)[], { position }: Moment, maxId = 0): Statement =>
  sql`insert into podcast_counter as t (kind, catalog_id, max_id, version)
    select k, 0, ${maxId}::bigint, ${position}::bigint from unnest(${kinds}::text[]) as k
    on conflict (kind, catalog_id) do update set max_id = greatest(t.max_id, excluded.max_id), version = excluded.version`;
const listed = { podcast: 0, podcast_episode: 0, deleted_podcast_episode: 0 };

/** Lists of episodes have changed. */
export const notedEpisodes = (moment: Moment): Statement => noted(['podcast_episode'], moment);

const aboutColumns = ({
  title,
  description,
  language,
  copyright,
  generator,
  author,
  websiteUrl,
  imageUrl,
  builtAtMs,
}: Partial<PodcastAbout>) => ({
  title,
  title_sort: title === undefined ? undefined : sortKey(title),
  description,
  language,
  copyright,
  generator,
  author,
  website_url: websiteUrl,
  image_url: imageUrl,
  built_at_ms: builtAtMs,
});

/** A new podcast, if its catalog is still there. */
export const addedPodcast = ({ data, at, position }: Recorded<'PodcastCreated'>): Statement[] => {
  const row = {
    id: data.podcastId,
    catalog_id: data.catalogId,
    feed_url: data.feedUrl,
    ...aboutColumns(data.about),
    episode_count: 0,
    added_at_ms: at,
    updated_at_ms: at,
  };
  return [
    sql`with added as (
        insert into podcast select r.* from json_populate_record(null::podcast, ${json(row)}) r join podcast_catalog c on c.id = r.catalog_id returning catalog_id)
      ${counted(sql`select 'podcast', catalog_id, 1 from added`)}`,
    noted(['podcast'], { at, position }, data.podcastId),
  ];
};

/** Changed columns of a podcast; undefined ones stay. */
interface PodcastChanges extends Partial<PodcastAbout> {
  readonly feedUrl?: string | undefined;
  readonly memory?: FeedMemory;
  readonly syncedAtMs?: number;
  /** Null: the feed can be read. */
  readonly feedError?: string | null;
}

/** Another address has another history. */
const memoryColumns = ({ feedUrl, memory }: PodcastChanges): Partial<PodcastTable> => {
  if (memory) return { etag: memory.etag, last_modified: memory.lastModified };
  return feedUrl === undefined ? {} : { etag: null, last_modified: null };
};

/** Writes changes of a podcast. A visit that brought nothing moves neither its time of change nor the lists. */
export const changedPodcast = (id: number, changes: PodcastChanges, moment: Moment): Statement[] => {
  const said = { ...aboutColumns(changes), feed_url: changes.feedUrl };
  const isNews = Object.values(said).some((value) => value !== undefined);
  const set = {
    ...said,
    ...memoryColumns(changes),
    synced_at_ms: changes.syncedAtMs,
    feed_error: changes.feedError,
    ...(isNews ? { updated_at_ms: moment.at } : {}),
  };
  const entries = Object.entries(set).filter(([, value]) => value !== undefined);
  const columns = entries.map(([column]) => sql`${sql.ref(column)} = r.${sql.ref(column)}`);
  return [
    sql`update podcast as p set ${sql.join(columns)} from json_populate_record(null::podcast, ${json(Object.fromEntries(entries))}) r where p.id = ${id}`,
    ...(isNews ? [noted(['podcast'], moment)] : []),
  ];
};

/** Values of the feed for an episode, as columns. */
type EpisodeRow = Pick<
  PodcastEpisodeTable,
  | 'id'
  | 'podcast_id'
  | 'catalog_id'
  | 'title'
  | 'title_sort'
  | 'description'
  | 'author'
  | 'category'
  | 'website_url'
  | 'image_url'
  | 'media_url'
  | 'feed_duration_ms'
  | 'feed_mime'
  | 'feed_size_bytes'
> & { published_at_ms: number | null };

const episodeRow = (place: { podcastId: number; catalogId: number }, id: number, about: EpisodeAbout): EpisodeRow => ({
  id,
  podcast_id: place.podcastId,
  catalog_id: place.catalogId,
  title: about.title,
  title_sort: sortKey(about.title),
  description: about.description,
  author: about.author,
  category: about.category,
  website_url: about.websiteUrl,
  image_url: about.imageUrl,
  published_at_ms: about.publishedAtMs,
  media_url: about.mediaUrl,
  feed_duration_ms: about.durationMs,
  feed_mime: about.mime,
  feed_size_bytes: about.sizeBytes,
});

/** New episodes, if their podcast is still there. */
export const newEpisodes = ({ data, at, position }: Recorded<'PodcastEpisodesAdded'>): Statement[] => {
  const rows = data.episodes.map(({ episodeId, about }) => {
    const row = episodeRow(data, episodeId, about);
    const said = { duration_ms: about.durationMs, mime: about.mime, size_bytes: about.sizeBytes };
    const file = { state: 'skipped', state_at_ms: at, download_run: 0, is_asked: false };
    return { ...row, ...said, ...file, published_at_ms: row.published_at_ms ?? at, added_at_ms: at, updated_at_ms: at };
  });
  const maxId = data.episodes.reduce((max, { episodeId }) => Math.max(max, episodeId), 0);
  return [
    sql`with added as (
        insert into podcast_episode select r.* from json_populate_recordset(null::podcast_episode, ${json(rows)}) r join podcast p on p.id = r.podcast_id
        returning podcast_id, catalog_id),
      summed as (update podcast p set episode_count = p.episode_count + n.total from (select podcast_id, count(*)::int as total from added group by podcast_id) n
        where p.id = n.podcast_id)
      ${counted(sql`select 'podcast_episode', catalog_id, count(*) from added group by catalog_id`)}`,
    noted(['podcast', 'podcast_episode'], { at, position }, 0),
    noted(['podcast_episode'], { at, position }, maxId),
  ];
};

const changing = [
  'title',
  'title_sort',
  'description',
  'author',
  'category',
  'website_url',
  'image_url',
  'media_url',
  'feed_duration_ms',
  'feed_mime',
  'feed_size_bytes',
];

/** The feed says something else of episodes. */
export const changedEpisodes = ({ data, at, position }: Recorded<'PodcastEpisodesChanged'>): Statement[] => {
  const rows = data.episodes.map(({ episodeId, about }) => episodeRow(data, episodeId, about));
  const set = sql.join(changing.map((column) => sql`${sql.ref(column)} = r.${sql.ref(column)}`));
  return [
    // Of a file that is kept we know better than the feed.
    sql`update podcast_episode as e set ${set}, duration_ms = case when e.path is null then r.feed_duration_ms else e.duration_ms end,
      mime = case when e.path is null then r.feed_mime else e.mime end, size_bytes = case when e.path is null then r.feed_size_bytes else e.size_bytes end,
      published_at_ms = coalesce(r.published_at_ms, e.published_at_ms), updated_at_ms = ${at}::bigint
      from json_populate_recordset(null::podcast_episode, ${json(rows)}) r where e.id = r.id`,
    noted(['podcast_episode'], { at, position }),
  ];
};

/** Episodes go, and are remembered; `gone` gives their ids. */
export const deletedEpisodes = (gone: Statement, moment: Moment): Statement[] => [
  sql`with gone as (delete from podcast_episode where id in (${gone}) returning id, podcast_id, catalog_id, title, path, added_at_ms),
    kept as (insert into deleted_podcast_episode select id, podcast_id, catalog_id, title, coalesce(path, ''), added_at_ms, ${moment.at}::bigint from gone),
    summed as (update podcast p set episode_count = p.episode_count - n.total from (select podcast_id, count(*)::int as total from gone group by podcast_id) n
      where p.id = n.podcast_id)
    ${counted(sql`select k.kind, g.catalog_id, k.sign * count(*) from gone g, (values ('podcast_episode', -1), ('deleted_podcast_episode', 1)) as k(kind, sign)
      group by k.kind, k.sign, g.catalog_id`)}`,
  noted(['podcast', 'podcast_episode', 'deleted_podcast_episode'], moment),
];

/** Podcasts go with their episodes; `gone` gives their ids. */
export const deletedPodcasts = (gone: Statement, moment: Moment): Statement[] => [
  ...deletedEpisodes(sql`select e.id from podcast_episode e where e.podcast_id in (${gone})`, moment),
  sql`with gone as (delete from podcast where id in (${gone}) returning catalog_id)
    ${counted(sql`select 'podcast', catalog_id, -count(*) from gone group by catalog_id`)}`,
  sql`delete from podcast_counter where catalog_id <> 0 and total = 0`,
];
