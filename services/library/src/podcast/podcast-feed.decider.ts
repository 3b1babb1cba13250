import { reservation } from '@continuo/chassis';
import { Rejection, podcastFeedReleased, podcastFeedReserved } from '@continuo/contracts';

/** The reservation of one address of a feed in a catalog, so that no two podcasts can hold it whatever the timing. */
export const podcastFeedAggregate = reservation({
  context: 'library',
  kind: 'podcast-feed',
  holder: 'podcastId',
  reserved: podcastFeedReserved,
  released: podcastFeedReleased,
  taken: ({ feedUrl }) => new Rejection('podcast.feed-taken', undefined, feedUrl),
});
