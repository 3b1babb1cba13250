import type { LiveStreamView } from '../../../reads/podcasts/live-streams.reads.js';
import { nativeObject } from './native-object.js';

/** Fields of a radio station, equal in all versions. */
export const liveStreamObject = nativeObject<LiveStreamView>('live_stream', (of) => [
  of.id('id', (station) => station.id),
  of.text('name', (station) => station.name),
  of.text('url', (station) => station.url),
  of.text('codec', (station) => station.codec, { nullable: true }),
  of.id('catalog', (station) => station.catalogId, { xml: 'element' }),
  of.text('site_url', (station) => station.siteUrl, { nullable: true }),
  // An addition of this server, only if requested.
  of.text('now_playing', (station) => station.nowPlaying, { since: 6, nullable: true, optional: true }),
]);
