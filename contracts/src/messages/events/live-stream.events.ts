import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { catalogId } from '../ids.js';
import { isStationUrl, MAX_STATION_NAME } from '../live-stream.js';

/** Public id of a live stream. */
export const liveStreamId = z.int().positive().brand<'LiveStreamId'>();
export type LiveStreamId = z.infer<typeof liveStreamId>;

const url = z.string().refine(isStationUrl, { error: 'no address of a station' });

/** Terms of a station. */
const terms = {
  /** Catalog of the station; whoever sees the catalog sees the station. */
  catalogId,
  name: z.string().min(1).max(MAX_STATION_NAME),
  /** Where it is heard. */
  url,
  /** Its page; null: none is known. */
  siteUrl: url.nullable(),
  /** Codec; null when unknown. */
  codec: z
    .string()
    .regex(/^[a-z0-9]{1,16}$/)
    .nullable(),
};

/** There is another station. */
export const liveStreamCreated = defineEvent('LiveStreamCreated', z.object({ liveStreamId, ...terms }));
/** Terms of a station changed; absent ones stay. */
export const liveStreamChanged = defineEvent(
  'LiveStreamChanged',
  z
    .object({ liveStreamId, ...terms })
    .partial()
    .required({ liveStreamId: true }),
);
/** The station is gone for good; its number is never given again. */
export const liveStreamDeleted = defineEvent('LiveStreamDeleted', z.object({ liveStreamId, catalogId }));

export type LiveStreamEvent = EventOf<typeof liveStreamCreated | typeof liveStreamChanged | typeof liveStreamDeleted>;
/** The terms of a station. */
export type LiveStreamTerms = z.infer<z.ZodObject<typeof terms>>;
/** The schemas of {@link LiveStreamTerms}, for the commands that set them. */
export const liveStreamTerms = z.object(terms);
