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

/** Core-NATS notice on `projected.<projection>` after each commit. */
export interface ProjectedNotice {
  readonly projection: string;
  readonly stream: EventStreamName;
  readonly position: number;
}
