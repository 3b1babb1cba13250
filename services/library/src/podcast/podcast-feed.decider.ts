import type { Aggregate } from '@continuo/chassis';
import {
  podcastFeedReleased,
  podcastFeedReserved,
  Rejection,
  type CatalogId,
  type PodcastFeedEvent,
  type PodcastId,
} from '@continuo/contracts';

/** Holder of a feed's address. */
export interface PodcastFeedState {
  readonly holder: PodcastId | null;
}

/** Commands of a feed's address. */
export interface PodcastFeedCommand {
  readonly type: 'reserve' | 'release';
  readonly podcastId: PodcastId;
  readonly catalogId: CatalogId;
  readonly feedUrl: string;
}

/** The reservation of one address of a feed in a catalog, so that no two podcasts can hold it whatever the timing. */
export const podcastFeedAggregate: Aggregate<PodcastFeedState, PodcastFeedCommand, PodcastFeedEvent> = {
  context: 'library',
  kind: 'podcast-feed',
  initialState: { holder: null },
  decide: (state, { type, ...place }) => {
    if (type === 'release') return state.holder === place.podcastId ? [podcastFeedReleased(place)] : [];
    if (state.holder === place.podcastId) return [];
    if (state.holder !== null) throw new Rejection('podcast.feed-taken', undefined, place.feedUrl);
    return [podcastFeedReserved(place)];
  },
  evolve: (_, event) => ({ holder: event.type === 'PodcastFeedReserved' ? event.data.podcastId : null }),
};
