import { DEMOCRATIC_LIST, type PlayerAction, type PlayerItem } from '@continuo/contracts';
import { z } from 'zod';
import { requireLevel } from '../../auth/index.js';
import {
  democraticItem,
  episodeItems,
  MAX_QUEUED,
  playerQueue,
  playerView,
  queueItems,
  skipTo,
  songItems,
  stationItems,
  stepBy,
  tellPlayer,
  videoItems,
  type PlayerCaller,
} from '../../localplay/server-player.js';
import { localplayStanding } from '../../localplay/standing.js';
import { songIdsByAlbum, songIdsByArtist } from '../../reads/songs.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import { badValue, featureOff, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall, type CallerRow } from '../method.js';
import { commandAnswer, localplaySongObject, statusAnswer, type LocalplayEntry } from '../objects/localplay.object.js';
import { flag, idOf } from '../params.js';
import { itemsFrom, type NativeResult } from '../result.js';
import { requireLiveStreams } from './live-stream.methods.js';
import { openList, openSmartlist } from './reading-playlists.js';
import { requirePodcasts } from './podcast.methods.js';
import { requireVideos } from './video.methods.js';

/** The level while the preference `localplay_level` says nothing else. */
const USUAL_LEVEL = 100;

/**
 * A row whose level a preference decides. Feature and level come before the parameters (native README section 5). Versions 3 and 4 of the reference check no
 * level; here every version does: a client must not get around it by the version that it asks for (threats.md row 2).
 */
const localplayMethod = (row: CallerRow): CallerRow => ({
  ...row,
  checksLevel: true,
  invoke: async (raw, call) => {
    const { caller } = call.request;
    const standing = localplayStanding(await call.services.preferences.current(), caller.account);
    if (standing.kind === 'off') throw featureOff('localplay');
    if (standing.kind === 'below') requireLevel(caller, standing.level);
    return row.invoke(raw, call);
  },
});

/** The caller as the player's, whose standing has been looked at. */
const playerCaller = async ({ services, request, viewer }: CallerCall<unknown>): Promise<PlayerCaller> => {
  const standing = localplayStanding(await services.preferences.current(), request.caller.account);
  if (standing.kind !== 'open') throw featureOff('localplay');
  return { services, context: request, viewer, backEnd: standing.backEnd };
};

interface LocalplayParams {
  readonly command?: string | undefined;
  readonly filter?: string | undefined;
  readonly type: string;
  readonly clear: boolean;
  readonly track?: string | undefined;
}

type Call = CallerCall<LocalplayParams>;

const VOLUME_STEP = 5;

/** What version 3 knows (versions.md section 7, "only simple commands"). */
const OLDEST_COMMANDS: readonly string[] = ['next', 'prev', 'stop', 'play'];

/** Kinds that wait for a feature. */
const features: Readonly<Record<string, string>> = { broadcast: 'broadcast' };

/** Ids of songs behind something that has songs; the specification names none of these kinds, people want them all the same. */
const songIds: Readonly<
  Record<string, (call: CallerCall<LocalplayParams & { filter: string }>, id: number) => Promise<ArrayLike<number>>>
> = {
  song: async (_, id) => [id],
  album: async ({ services, viewer }, id) => (await songIdsByAlbum(services.db, [id], viewer)).get(id) ?? [],
  artist: async ({ services, viewer }, id) => (await songIdsByArtist(services.db, [id], viewer)).get(id) ?? [],
  playlist: async (call) => (await (await openList(call)).songs({ isContinued: true })).ids,
  search: async (call) => (await (await openSmartlist(call)).songs({ isContinued: true })).ids,
  smartlist: async (call) => (await (await openSmartlist(call)).songs({ isContinued: true })).ids,
};

const itemsOf = async (call: CallerCall<LocalplayParams & { filter: string }>, player: PlayerCaller): Promise<PlayerItem[]> => {
  const { type, filter } = call.params;
  if (Object.hasOwn(features, type)) throw featureOff(features[type] ?? type);
  // Ids of lists may be spelled otherwise (smart_1); whoever opens them reads them.
  const id = idOf(filter) ?? 0;
  if (type === 'democratic') return id === DEMOCRATIC_LIST ? [democraticItem(player, id)] : [];
  if (type === 'video') {
    requireVideos(call);
    return [...(await videoItems(player, [id])).values()];
  }
  if (type === 'live_stream') {
    requireLiveStreams(call);
    return [...(await stationItems(player, [id])).values()];
  }
  if (type === 'podcast_episode') {
    requirePodcasts(call);
    return [...(await episodeItems(player, [id])).values()];
  }
  const idsOf = Object.hasOwn(songIds, type) ? songIds[type] : undefined;
  if (!idsOf) throw badValue('type', type);
  const ids = Array.from(await idsOf(call, id)).slice(0, MAX_QUEUED);
  const items = await songItems(player, ids);
  return ids.flatMap((one) => items.get(one) ?? []);
};

const add = async (call: Call, player: PlayerCaller): Promise<boolean> => {
  const { filter, clear } = call.params;
  // Older versions know it by its older name.
  const parameter = call.policy.version >= 6 ? 'filter' : 'oid';
  if (filter === undefined) throw missing(parameter);
  const items = await itemsOf({ ...call, params: { ...call.params, filter } }, player);
  if (items.length === 0) throw notFound(parameter, filter);
  return (await queueItems(player, items, clear ? 'instead' : 'behind')).isAccepted;
};

const TRACK = /^[1-9]\d{0,5}$/;

const skip = async ({ params: { track } }: Call, player: PlayerCaller): Promise<boolean> => {
  if (track === undefined) throw missing('track');
  if (!TRACK.test(track.trim())) throw badValue('track', track);
  return (await skipTo(player, Number(track) - 1, 0)).isAccepted;
};

/** The command; from version 6 on it may come as the filter alone (methods.json). */
const commandOf = ({ params, policy }: Call): string => {
  const command = params.command ?? (policy.version >= 6 ? params.filter : undefined);
  if (command === undefined) throw missing('command');
  if (policy.version === 3 && !OLDEST_COMMANDS.includes(command)) throw badValue('command', command);
  return command;
};

/** Does something, and says whether the player took it. */
type Act = (call: Call, player: PlayerCaller) => Promise<boolean>;

const telling =
  (action: PlayerAction): Act =>
  async (_, player) =>
    (await tellPlayer(player, action)).isAccepted;
const stepping =
  (way: 'next' | 'previous'): Act =>
  async (_, player) =>
    (await stepBy(player, way)).isAccepted;

const acts: Readonly<Record<string, Act>> = {
  next: stepping('next'),
  prev: stepping('previous'),
  stop: telling({ type: 'stop' }),
  play: telling({ type: 'play' }),
  pause: telling({ type: 'pause' }),
  add,
  skip,
  volume_up: telling({ type: 'volume-by', percent: VOLUME_STEP }),
  volume_down: telling({ type: 'volume-by', percent: -VOLUME_STEP }),
  volume_mute: telling({ type: 'volume', percent: 0 }),
  delete_all: telling({ type: 'clear' }),
};

const obey = async (call: Call): Promise<NativeResult> => {
  const command = commandOf(call);
  const player = await playerCaller(call);
  if (command === 'status') {
    const view = await playerView(player);
    return { kind: 'fields', build: ({ profile }) => statusAnswer(view, profile.version) };
  }
  const act = Object.hasOwn(acts, command) ? acts[command] : undefined;
  if (!act) throw badValue('command', command);
  const isAccepted = await act(call, player);
  return { kind: 'fields', build: () => commandAnswer(command, isAccepted) };
};

const queue = async (call: CallerCall<unknown>): Promise<NativeResult> => {
  const { things } = await playerQueue(await playerCaller(call));
  const entries = things.map((thing, index): LocalplayEntry => ({ thing, track: index + 1 }));
  const batches = (async function* () {
    yield entries;
  })();
  return {
    kind: 'list',
    name: localplaySongObject.kind,
    counted: false,
    list: { total: entries.length, md5: listMd5(Int32Array.from(entries, ({ track }) => track)) },
    items: itemsFrom(localplaySongObject, batches, { isEmpty: entries.length === 0, isLong: false }),
  };
};

/** Playing on the server itself (native README section 4, localplay). */
export const localplayMethods = {
  localplay: localplayMethod(
    method({
      versions: [3, 4, 5, 6, 8],
      access: USUAL_LEVEL,
      aliases: { filter: ['filter', 'oid'] },
      params: z.object({
        command: z.string().optional(),
        filter: z.string().optional(),
        type: z.string().default('song'),
        clear: flag,
        track: z.string().optional(),
      }),
      run: obey,
    }),
  ),
  localplay_songs: localplayMethod(method({ versions: [5, 6, 8], access: USUAL_LEVEL, params: z.object({}), run: queue })),
};
