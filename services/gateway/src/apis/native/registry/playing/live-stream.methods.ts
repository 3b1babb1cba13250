import { z } from 'zod';
import {
  editStation,
  endStation,
  makeStation,
  openStation,
  parseNewStation,
  parseStationChanges,
  type StationParameters,
} from '../../../../features/live-stream/live-streams.js';
import { requireLevel } from '../../../../auth/index.js';
import { liveStreamsByIds, type LiveStreamView } from '../../../../reads/podcasts/live-streams.reads.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound } from '../../named-object.js';
import { liveStreamObject } from '../../objects/live-stream.object.js';
import { by } from '../../paging.js';
import { idOf, matching, named, optional, paging, required } from '../../params.js';
import { objectResult, success, type NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { ofKind } from '../lists/of-kind.js';
import { catalogOf } from '../library/catalog.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasStationTitles } from '../../../../features/live-stream/station-titles.js';
import type { HasConfig, HasCommands } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import { requireKind } from '../../require-kind.js';

type Services = HasConfig & HasReadModel & HasStationTitles & HasCommands & HasLists & HasPreferences;
// The feature first, then the level, then the parameters.
const { method } = methodsUsing<Services>({
  checksLevel: true,
  check: (call, access) => {
    requireKind(call, 'live_stream');
    requireLevel(call.context.caller, access);
  },
});

const versions: readonly ApiVersion[] = [5, 6, 8];
const writing: readonly ApiVersion[] = [6, 8];
/** Access level for changing stations. */
const KEEPERS = 50;
const parameters: StationParameters = { name: 'name', url: 'url', siteUrl: 'site_url', codec: 'codec' };

const shown = (station: LiveStreamView): NativeResult => objectResult(liveStreamObject, station, station.id);

/** Station of a call. @throws NativeRefusal 4704 */
const stationOf = async (call: CallerCall<unknown, Services>, text: string): Promise<LiveStreamView> =>
  orNotFound(await openStation(call, idOf(text)), text);

const isSent = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';
/** An empty value counts as absent; an empty website removes it. */
const sent = (text: string | undefined): string | undefined => (isSent(text) ? text : undefined);

const edited = z.object({ ...named, catalog: optional, codec: optional, name: optional, site_url: optional, url: optional });

const edit = async (call: CallerCall<z.output<typeof edited>, Services>): Promise<NativeResult> => {
  const { filter, catalog, codec, name, site_url: siteUrl, url } = call.params;
  const { id } = await stationOf(call, filter);
  const target = isSent(catalog) ? await catalogOf(call, catalog, 'catalog') : undefined;
  const written = { codec: sent(codec), name: sent(name), siteUrl, url: sent(url), catalogId: target?.id };
  await editStation(call, id, parseStationChanges(written, parameters));
  return shown(await stationOf(call, filter));
};

const created = z.object({ catalog: required, codec: required, name: required, site_url: z.string().default(''), url: required });

const create = async (call: CallerCall<z.output<typeof created>, Services>): Promise<NativeResult> => {
  const { catalog, codec, name, site_url: siteUrl, url } = call.params;
  const { id } = await catalogOf(call, catalog, 'catalog');
  const terms = parseNewStation({ codec, name, siteUrl, url, catalogId: id }, parameters);
  return shown(await stationOf(call, String(await makeStation(call, terms))));
};

/** Present titles only on request: reading them contacts the station. */
const includesTitle = (include: string | undefined): boolean => (include ?? '').split(',').some((name) => name.trim() === 'now_playing');

/** Methods about radio stations. Their addresses are contacted only for titles. */
export const liveStreamMethods = {
  live_streams: method({
    versions,
    access: 5,
    params: z.object({ ...matching, ...paging }),
    run: (call) => ofKind('live_stream', liveStreamObject, liveStreamsByIds).page(call, by('name')),
  }),
  live_stream: method({
    versions,
    access: 5,
    params: z.object({ ...named, include: optional }),
    run: async (call) => {
      const station = await stationOf(call, call.params.filter);
      if (!includesTitle(call.params.include)) return shown(station);
      return shown({ ...station, nowPlaying: (await call.services.stationTitles.titleAt(station.url)) ?? null });
    },
  }),
  live_stream_create: method({ versions: writing, access: KEEPERS, params: created, run: create }),
  live_stream_edit: method({ versions: writing, access: KEEPERS, params: edited, run: edit }),
  live_stream_delete: method({
    versions: writing,
    access: KEEPERS,
    params: z.object(named),
    run: async (call) => {
      const { id } = await stationOf(call, call.params.filter);
      await endStation(call, id);
      return success(`Deleted live_stream: ${id}`);
    },
  }),
};
