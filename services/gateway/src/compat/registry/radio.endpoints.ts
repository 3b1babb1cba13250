import {
  editStation,
  endStation,
  makeStation,
  newStation,
  openStation,
  stationChanges,
  type StationKeeper,
  type StationParameters,
} from '../../live-stream/live-streams.js';
import { liveStreamsByIds } from '../../reads/live-streams.reads.js';
import { containerBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { parseIdOf } from '../ids.js';
import { stationObject } from '../objects/station.object.js';
import { clearableText, requiredText } from '../parameters.js';
import { action, anybody, catalogManagers, document, type UserCallBase } from './endpoint.js';

const parameters: StationParameters = { name: 'name', url: 'streamUrl', siteUrl: 'homepageUrl', codec: 'codec' };
const byName = { kind: 'live_stream', where: [], sort: { name: 'name', descending: false } } as const;
const oldestFirst = { name: 'id', descending: false } as const;

/** @throws CompatError 0 where stations are switched off */
const keeperOf = ({ services, context, viewer }: UserCallBase): StationKeeper => {
  if (!services.config.LIVE_STREAM) throw new CompatError(0, 'Radio stations are switched off on this server');
  return { services, context, viewer };
};

/** The station that an id names. @throws CompatError 70 */
const stationIdOf = async (keeper: StationKeeper, text: string): Promise<number> => {
  const station = await openStation(keeper, parseIdOf('station', text));
  if (!station) throw new CompatError(70, 'There is no such radio station');
  return station.id;
};

/** This protocol names no catalog: a station comes into the first one of music that the caller sees, or else the first one. */
const catalogFor = async ({ services, viewer }: StationKeeper): Promise<number> => {
  const all = await Promise.all(
    [[{ name: 'gather_type', value: 'music' }], []].map((where) =>
      services.lists.ids({ kind: 'catalog', where, sort: oldestFirst }, viewer),
    ),
  );
  const [first] = all.flatMap(({ ids }) => Array.from(ids));
  if (first === undefined) throw new CompatError(0, 'There is no catalog that the station could belong to');
  return first;
};

/** Radio stations. Where they are switched off there are none. */
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
      const keeper = keeperOf(call);
      const { streamUrl: url, name, homepageUrl: siteUrl } = call.params;
      await makeStation(keeper, newStation({ url, name, siteUrl, catalogId: await catalogFor(keeper) }, parameters));
    },
  }),
  /** The page stays when nothing is said of it, and goes when it is said to be empty. */
  updateInternetRadioStation: action({
    access: catalogManagers,
    params: { id: requiredText, streamUrl: requiredText, name: requiredText, homepageUrl: clearableText },
    act: async (call) => {
      const keeper = keeperOf(call);
      const { id, streamUrl: url, name, homepageUrl: siteUrl } = call.params;
      await editStation(keeper, await stationIdOf(keeper, id), stationChanges({ url, name, siteUrl }, parameters));
    },
  }),
  deleteInternetRadioStation: action({
    access: catalogManagers,
    params: { id: requiredText },
    act: async (call) => {
      const keeper = keeperOf(call);
      await endStation(keeper, await stationIdOf(keeper, call.params.id));
    },
  }),
} as const;
