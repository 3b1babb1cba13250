import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { podcastId } from '../ids.js';
import { podcastUrl } from '../podcast.js';
import { artRef } from '../track.js';

/** The picture that a feed names was fetched, and is kept. */
export const podcastPictured = defineEvent('PodcastPictured', z.object({ podcastId, imageUrl: podcastUrl, art: artRef }));

export type PodcastArtEvent = EventOf<typeof podcastPictured>;
