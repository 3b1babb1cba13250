/** Commands about live streams (radio stations). The sender has checked that the caller may, and that the catalog exists and may be seen. */
import { z } from 'zod';
import { defineCommand } from '../define.js';
import { liveStreamId, liveStreamTerms } from '../events/live-stream.events.js';

const none = z.object({});

/** Makes a station and answers its number. Names and addresses need not be unique. */
export const createLiveStream = defineCommand('library', 'create-live-stream', liveStreamTerms, z.object({ liveStreamId }));

/** Changes what is named. Refused as `live-stream.not-found`. */
export const changeLiveStream = defineCommand('library', 'change-live-stream', liveStreamTerms.partial().extend({ liveStreamId }), none);

/** Ends a station for good; ending it again changes nothing. */
export const deleteLiveStream = defineCommand('library', 'delete-live-stream', z.object({ liveStreamId }), none);
