import { z } from 'zod';
import {
  editStation,
  endStation,
  makeStation,
  openStation,
  newStation,
  stationChanges,
  type StationKeeper,
  type StationParameters,
} from '../../live-stream/live-streams.js';
import { requireLevel } from '../../auth/index.js';
import { listMd5 } from '../../reads/id-list.js';
import { liveStreamsByIds, type LiveStreamView } from '../../reads/live-streams.reads.js';
import { featureOff, notFound } from '../errors/native-fault.js';
import { method, type CallerCall, type CallerRow } from '../method.js';
import { liveStreamObject } from '../objects/live-stream.object.js';
import { by, listQuery, listResult } from '../paging.js';
import { cond, flag, idOf, limit, offset, required, sort } from '../params.js';
import { objectResult, type NativeResult } from '../result.js';
import type { ApiVersion } from '../versions/policy.js';
import { catalogOf } from './catalog.methods.js';

const versions: readonly ApiVersion[] = [5, 6, 8];
const writing: readonly ApiVersion[] = [6, 8];
/** Who may say which stations there are (methods.json). */
const KEEPERS = 50;
const optional = z.string().optional();
const named = { filter: required };
const parameters: StationParameters = { name: 'name', url: 'url', siteUrl: 'site_url', codec: 'codec' };

/** Refuses what speaks of radio stations where they are switched off. @throws NativeRefusal 4703 */
export const requireLiveStreams = ({ services }: Pick<CallerCall<unknown>, 'services'>): void => {
  if (!services.config.LIVE_STREAM) throw featureOff('live_stream');
};

/** Looks at the switch first, then at the level, then at the parameters (native README section 5). */
const gated = (row: CallerRow): CallerRow => ({
  ...row,
  checksLevel: true,
  invoke: async (raw, call) => {
    requireLiveStreams(call);
    requireLevel(call.request.caller, row.access);
    return row.invoke(raw, call);
  },
});

const keeperOf = ({ services, request, viewer }: CallerCall<unknown>): StationKeeper => ({ services, context: request, viewer });

const shown = (station: LiveStreamView): NativeResult =>
  objectResult(liveStreamObject, station, { counted: true, md5: () => listMd5(Int32Array.of(station.id)) });

/** The station that a call names. @throws NativeRefusal 4704 */
const stationOf = async (call: CallerCall<unknown>, text: string): Promise<LiveStreamView> => {
  const station = await openStation(keeperOf(call), idOf(text));
  if (!station) throw notFound('filter', text);
  return station;
};

const isSent = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';
/** An empty value is none that could be kept; an empty page takes the page away. */
const sent = (text: string | undefined): string | undefined => (isSent(text) ? text : undefined);

interface Edit {
  readonly filter: string;
  readonly catalog?: string | undefined;
  readonly codec?: string | undefined;
  readonly name?: string | undefined;
  readonly site_url?: string | undefined;
  readonly url?: string | undefined;
}

const edit = async (call: CallerCall<Edit>): Promise<NativeResult> => {
  const { filter, catalog, codec, name, site_url: siteUrl, url } = call.params;
  const { id } = await stationOf(call, filter);
  const target = isSent(catalog) ? await catalogOf(call, catalog, 'catalog') : undefined;
  const written = { codec: sent(codec), name: sent(name), siteUrl, url: sent(url), catalogId: target?.id };
  await editStation(keeperOf(call), id, stationChanges(written, parameters));
  return shown(await stationOf(call, filter));
};

interface Creation {
  readonly catalog: string;
  readonly codec: string;
  readonly name: string;
  readonly site_url: string;
  readonly url: string;
}

const create = async (call: CallerCall<Creation>): Promise<NativeResult> => {
  const { catalog, codec, name, site_url: siteUrl, url } = call.params;
  const { id } = await catalogOf(call, catalog, 'catalog');
  const terms = newStation({ codec, name, siteUrl, url, catalogId: id }, parameters);
  return shown(await stationOf(call, String(await makeStation(keeperOf(call), terms))));
};

/** Only its own name asks for what a station plays: that asks the station. */
const asksTitle = (include: string | undefined): boolean => (include ?? '').split(',').some((name) => name.trim() === 'now_playing');

/** Radio stations: list, look at, and keep. The server never asks their addresses for anything by itself. */
export const liveStreamMethods = {
  live_streams: gated(
    method({
      versions,
      access: 5,
      params: z.object({ filter: optional, exact: flag, offset, limit, cond, sort }),
      run: (call) =>
        listResult(call, listQuery('live_stream', call.params, [], by('name')), {
          table: liveStreamObject,
          read: (ids) => liveStreamsByIds(call.services.db, ids, call.viewer),
        }),
    }),
  ),
  live_stream: gated(
    method({
      versions,
      access: 5,
      params: z.object({ ...named, include: optional }),
      run: async (call) => {
        const station = await stationOf(call, call.params.filter);
        if (!asksTitle(call.params.include)) return shown(station);
        return shown({ ...station, nowPlaying: (await call.services.stationTitles.titleAt(station.url)) ?? null });
      },
    }),
  ),
  live_stream_create: gated(
    method({
      versions: writing,
      access: KEEPERS,
      params: z.object({ catalog: required, codec: required, name: required, site_url: z.string().default(''), url: required }),
      run: create,
    }),
  ),
  live_stream_edit: gated(
    method({
      versions: writing,
      access: KEEPERS,
      params: z.object({ ...named, catalog: optional, codec: optional, name: optional, site_url: optional, url: optional }),
      run: edit,
    }),
  ),
  live_stream_delete: gated(
    method({
      versions: writing,
      access: KEEPERS,
      params: z.object(named),
      run: async (call) => {
        const { id } = await stationOf(call, call.params.filter);
        await endStation(keeperOf(call), id);
        return { kind: 'success', message: `Deleted live_stream: ${id}` };
      },
    }),
  ),
};
