import type { EventStreamName } from './subjects.js';

/**
 * The projections that keep the published read model, by the stream that they read. Whoever wants to read its own write waits until each
 * of them has passed the write's position.
 */
export const readModelProjections = {
  EV_LIBRARY: [
    'library-catalogue',
    'library-videos',
    'library-playlists',
    'library-smartlists',
    'library-collections',
    'library-playlist-folders',
    'library-live-streams',
    'library-podcasts',
    'library-podcast-art',
    'library-found-facts',
  ],
  EV_IDENTITY: ['social-accounts', 'social-remarks'],
  EV_SOCIAL: [
    'social-access-list',
    'social-catalog-groups',
    'social-annotations',
    'social-preferences',
    'social-activity',
    'social-shares',
    'social-webhooks',
  ],
  EV_INGEST: ['ingestion-scans', 'ingestion-playlist-files'],
  EV_PLAYBACK: ['playback-plays', 'playback-places', 'playback-democratic', 'playback-relay'],
  EV_TRANSCODE: ['transcoding-batches'],
  EV_SONIC: ['sonic-songs', 'sonic-runs'],
} as const satisfies Record<EventStreamName, readonly string[]>;

/** A projection of the published read model. */
export type ReadModelProjection = (typeof readModelProjections)[EventStreamName][number];

/**
 * The version of each of these in this release. Readers of this release need tables of at least this version; those of the release before go on with them, because a newer version only
 * adds to what is published (`docs/operate/upgrade.md`).
 */
export const readModelVersions = {
  'library-catalogue': 8,
  'library-videos': 2,
  'library-playlists': 3,
  'library-smartlists': 2,
  'library-collections': 2,
  'library-playlist-folders': 1,
  'library-live-streams': 2,
  'library-podcasts': 4,
  'library-podcast-art': 1,
  'library-found-facts': 2,
  'social-accounts': 4,
  'social-remarks': 1,
  'social-access-list': 2,
  'social-catalog-groups': 1,
  'social-annotations': 2,
  'social-preferences': 1,
  'social-activity': 1,
  'social-shares': 1,
  'social-webhooks': 1,
  'ingestion-scans': 2,
  'ingestion-playlist-files': 1,
  'playback-plays': 4,
  'playback-places': 2,
  'playback-democratic': 1,
  'playback-relay': 1,
  'transcoding-batches': 1,
  'sonic-songs': 1,
  'sonic-runs': 1,
} as const satisfies Record<ReadModelProjection, number>;

/** Core-NATS notice on `projected.<projection>` after each commit that changed its tables. */
export interface ProjectedNotice {
  readonly projection: string;
  readonly stream: EventStreamName;
  readonly position: number;
}

/** Core-NATS notice on `passed.<stream>`: these projections show everything up to the position, since they handle none of the latest events. */
export interface PassedNotice {
  readonly stream: EventStreamName;
  readonly position: number;
  readonly projections: readonly string[];
}

/** Core-NATS notice on `projections.awaited.<stream>`. */
export interface ReadersWaitNotice {
  readonly stream: EventStreamName;
  /** Whether only checkpoints tell the reader what he waits for: he reads from a replica of the database. */
  readonly seesCheckpointsOnly: boolean;
}
