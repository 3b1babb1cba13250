import type { LiveStreamView } from '../../../reads/podcasts/live-streams.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { formatId } from '../ids.js';
import { fieldsOf, OPTIONAL } from './fields.js';

const station = fieldsOf<LiveStreamView>();

/** A radio station (schema type InternetRadioStation); stations have no pictures. */
export const stationObject = objectTable<LiveStreamView, undefined>('internetRadioStation', [
  station.text('id', ({ id }) => formatId('station', id)),
  station.text('name', ({ name }) => name),
  station.text('streamUrl', ({ url }) => url),
  station.text('homePageUrl', ({ siteUrl }) => siteUrl ?? undefined, OPTIONAL),
]);
