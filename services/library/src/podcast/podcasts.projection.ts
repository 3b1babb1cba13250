import { projectEach, type ProjectedQuery, type Projection } from '@continuo/chassis';
import type { CatalogEvent, PodcastEvent } from '@continuo/contracts';
import type { Handle } from '../catalogue/handle.js';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import {
  addedPodcast,
  changedEpisodes,
  changedPodcast,
  deletedEpisodes,
  deletedPodcasts,
  newEpisodes,
  queriesOf,
} from './podcast-queries.js';
import { begunDownload, cancelledDownloads, failedDownload, keptFile, removedFiles, requestedDownloads } from './podcast-file-queries.js';
import { podcastsDdl, podcastsTables } from './podcasts.ddl.js';

type Db = Kysely<unknown>;
const run = (statements: readonly RawBuilder<unknown>[], db: Db): ProjectedQuery[] => queriesOf(statements, db as unknown as Handle);

/** Podcasts and their episodes. They go with their catalog, and episodes that go are remembered. */
export const podcastsProjection: Projection<unknown> = {
  name: 'library-podcasts',
  version: 4,
  context: 'library',
  publishedSchema: 'library',
  publishes: podcastsTables,
  ddl: podcastsDdl,
  ...projectEach<PodcastEvent | CatalogEvent, unknown>({
    CatalogAdded: ({ data }, db: Db) =>
      data.gatherTypes === 'podcast' ? run([sql`insert into podcast_catalog values (${data.catalogId})`], db) : [],
    CatalogChanged: () => [],
    CatalogMoved: () => [],
    CatalogRemoved: ({ data, at, position }, db: Db) =>
      run(
        [
          ...deletedPodcasts(sql`select id from podcast where catalog_id = ${data.catalogId}`, { at, position }),
          sql`delete from podcast_catalog where id = ${data.catalogId}`,
        ],
        db,
      ),
    PodcastCreated: (event, db: Db) => run(addedPodcast(event), db),
    PodcastEdited: ({ data, at, position }, db: Db) =>
      run(
        changedPodcast(
          data.podcastId,
          { ...data.about, feedUrl: data.feedUrl, ...(data.feedUrl === undefined ? {} : { feedError: null }) },
          { at, position },
        ),
        db,
      ),
    PodcastSynced: ({ data, at, position }, db: Db) =>
      run(changedPodcast(data.podcastId, { ...data.about, memory: data.memory, syncedAtMs: at, feedError: null }, { at, position }), db),
    PodcastFeedFailed: ({ data, at, position }, db: Db) =>
      run(changedPodcast(data.podcastId, { feedError: data.reason }, { at, position }), db),
    PodcastEpisodesAdded: (event, db: Db) => run(newEpisodes(event), db),
    PodcastEpisodesChanged: (event, db: Db) => run(changedEpisodes(event), db),
    PodcastEpisodeDeleted: ({ data, at, position }, db: Db) =>
      run(deletedEpisodes(sql`select ${data.episodeId}::bigint as id`, { at, position }), db),
    PodcastDownloadsRequested: (event, db: Db) => run(requestedDownloads(event), db),
    PodcastDownloadBegun: (event, db: Db) => run(begunDownload(event), db),
    PodcastEpisodeDownloaded: (event, db: Db) => run(keptFile(event), db),
    PodcastDownloadFailed: (event, db: Db) => run(failedDownload(event), db),
    PodcastDownloadsCancelled: (event, db: Db) => run(cancelledDownloads(event), db),
    PodcastFilesRemoved: (event, db: Db) => run(removedFiles(event), db),
    PodcastDeleted: ({ data, at, position }, db: Db) =>
      run(deletedPodcasts(sql`select ${data.podcastId}::bigint as id`, { at, position }), db),
  }),
};
