import type { LiveStreamView } from '../../reads/live-streams.reads.js';
import { objectTable, rowsOf } from '../../render/index.js';
import type { NativeContext } from './context.js';

const of = rowsOf<LiveStreamView, NativeContext>();

/** versions.md sections 6.1 and 7.1: alike in all versions that have it. */
export const liveStreamObject = objectTable<LiveStreamView, NativeContext>('live_stream', [
  of.id('id', (station) => station.id),
  of.text('name', (station) => station.name),
  of.text('url', (station) => station.url),
  of.text('codec', (station) => station.codec),
  of.id('catalog', (station) => station.catalogId, { xml: 'element' }),
  of.text('site_url', (station) => station.siteUrl),
  // Our own, and only where it is asked for: no other server has it.
  of.text('now_playing', (station) => station.nowPlaying, { since: 6 }),
]);
