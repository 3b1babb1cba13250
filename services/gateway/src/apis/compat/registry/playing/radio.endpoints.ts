import {
  editStation,
  endStation,
  makeStation,
  parseNewStation,
  openStation,
  parseStationChanges,
  type StationEditor,
  type StationParameters,
} from '../../../../features/live-stream/live-streams.js';
import { liveStreamsByIds } from '../../../../reads/podcasts/live-streams.reads.js';
import { containerBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseIdOf } from '../../ids.js';
import { stationObject } from '../../objects/station.object.js';
import { clearableText, requiredText } from '../../parameters.js';
import { endpointsUsing, anybody, catalogManagers, type UserCallBase } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasConfig, HasCommands } from '../../../../server/needs.js';

type Services = HasConfig & HasReadModel & HasLists & HasCommands;
const { document, action } = endpointsUsing<Services>();

const parameters: StationParameters = { name: 'name', url: 'streamUrl', siteUrl: 'homepageUrl', codec: 'codec' };
const byName = { kind: 'live_stream', where: [], sort: { name: 'name', descending: false } } as const;
const oldestFirst = { name: 'id', descending: false } as const;

/** @throws CompatError 0 when stations are off */
const editorOf = ({ services, context, viewer }: UserCallBase<Services>): StationEditor => {
  if (!services.config.LIVE_STREAM) throw new CompatError(0, 'Radio stations are switched off on this server');
  return { services, context, viewer };
};

/** Station of an id. @throws CompatError 70 */
const stationIdOf = async (keeper: StationEditor, text: string): Promise<number> => {
  const station = await openStation(keeper, parseIdOf('station', text));
  if (!station) throw new CompatError(70, 'There is no such radio station');
  return station.id;
};

/** Catalog of a new station: the first music catalog that the caller sees, else the first one. */
const catalogFor = async ({ services, viewer }: Pick<UserCallBase<HasLists>, 'services' | 'viewer'>): Promise<number> => {
  const all = await Promise.all(
    [[{ name: 'gather_type', value: 'music' }], []].map((where) =>
      services.lists.ids({ kind: 'catalog', where, sort: oldestFirst }, viewer),
    ),
  );
  const [first] = all.flatMap(({ ids }) => Array.from(ids));
  if (first === undefined) throw new CompatError(0, 'There is no catalog that the station could belong to');
  return first;
};

/** Operations about radio stations. When they are off there are none. */
export const radioEndpoints = {
  getInternetRadioStations: document({
    access: anybody,
    params: {},
    body: containerBody('internetRadioStations', 'internetRadioStation', stationObject),
    answer: async ({ services, viewer }) => {
      if (!services.config.LIVE_STREAM) return [];
      return liveStreamsByIds(services.db, (await services.lists.ids(byName, viewer)).ids, viewer);
    },
  }),
  createInternetRadioStation: action({
    access: catalogManagers,
    params: { streamUrl: requiredText, name: requiredText, homepageUrl: clearableText },
    act: async (call) => {
      const keeper = editorOf(call);
      const { streamUrl: url, name, homepageUrl: siteUrl } = call.params;
      await makeStation(keeper, parseNewStation({ url, name, siteUrl, catalogId: await catalogFor(call) }, parameters));
    },
  }),
  /** An absent website stays, an empty one is removed. */
  updateInternetRadioStation: action({
    access: catalogManagers,
    params: { id: requiredText, streamUrl: requiredText, name: requiredText, homepageUrl: clearableText },
    act: async (call) => {
      const keeper = editorOf(call);
      const { id, streamUrl: url, name, homepageUrl: siteUrl } = call.params;
      await editStation(keeper, await stationIdOf(keeper, id), parseStationChanges({ url, name, siteUrl }, parameters));
    },
  }),
  deleteInternetRadioStation: action({
    access: catalogManagers,
    params: { id: requiredText },
    act: async (call) => {
      const keeper = editorOf(call);
      await endStation(keeper, await stationIdOf(keeper, call.params.id));
    },
  }),
} as const;
