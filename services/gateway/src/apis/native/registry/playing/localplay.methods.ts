import { DEMOCRATIC_LIST, type PlayerAction, type PlayerItem } from '@continuo/contracts';
import { z } from 'zod';
import { requireLevel } from '../../../../auth/index.js';
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
  sendPlayerCommand,
  videoItems,
  type PlayerCaller,
} from '../../../../features/localplay/server-player.js';
import { localplayAvailability } from '../../../../features/localplay/availability.js';
import { songIdsByAlbum, songIdsByArtist } from '../../../../reads/songs/songs.reads.js';
import { badValue, featureOff, missing, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { commandAnswer, localplaySongObject, statusAnswer } from '../../objects/localplay.object.js';
import { flag, idOf, optional } from '../../params.js';
import { heldList, type NativeResult } from '../../result.js';
import { openList, openSmartlist } from '../lists/reading-playlists.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasCommands, HasConfig, HasSecrets, HasClock } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasStationTitles } from '../../../../features/live-stream/station-titles.js';
import { requireKind } from '../../require-kind.js';

type Services = HasReadModel &
  HasPreferences &
  HasCommands &
  HasConfig &
  HasSmartlists &
  HasLists &
  HasSecrets &
  HasStationTitles &
  HasClock;
// The level is a preference; feature and level precede the parameters. The reference checks no level in versions 3 and 4; here every version does, or a client could
// bypass it.
const { method } = methodsUsing<Services>({
  checksLevel: true,
  check: async ({ services, context: { caller } }) => {
    const standing = localplayAvailability(await services.preferences.current(), caller.account);
    if (standing.kind === 'off') throw featureOff('localplay');
    if (standing.kind === 'below') requireLevel(caller, standing.level);
  },
});

/** Default of the preference `localplay_level`. */
const USUAL_LEVEL = 100;

/** The player caller, after the access check. */
const playerCaller = async (call: CallerCall<unknown, Services>): Promise<PlayerCaller> => {
  const standing = localplayAvailability(await call.services.preferences.current(), call.context.caller.account);
  if (standing.kind !== 'open') throw featureOff('localplay');
  return { ...call, backEnd: standing.backEnd };
};

const localplayParams = z.object({
  command: optional,
  filter: optional,
  type: z.string().default('song'),
  clear: flag,
  track: optional,
});
type Call = CallerCall<z.output<typeof localplayParams>, Services>;

const VOLUME_STEP = 5;

/** Commands of version 3. */
const OLDEST_COMMANDS: readonly string[] = ['next', 'prev', 'stop', 'play'];

/** Song ids of objects with songs; an addition to the specification. */
const songIds: Readonly<
  Record<string, (call: CallerCall<Call['params'] & { filter: string }, Services>, id: number) => Promise<ArrayLike<number>>>
> = {
  song: async (_, id) => [id],
  album: async ({ services, viewer }, id) => (await songIdsByAlbum(services.db, [id], viewer)).get(id) ?? [],
  artist: async ({ services, viewer }, id) => (await songIdsByArtist(services.db, [id], viewer)).get(id) ?? [],
  playlist: async (call) => (await (await openList(call)).songs({ isContinued: true })).ids,
  search: async (call) => (await (await openSmartlist(call)).songs({ isContinued: true })).ids,
  smartlist: async (call) => (await (await openSmartlist(call)).songs({ isContinued: true })).ids,
};

/** Items of other kinds than songs. */
const itemsOfKind = { video: videoItems, live_stream: stationItems, podcast_episode: episodeItems } as const;
const isOfKind = (type: string): type is keyof typeof itemsOfKind => Object.hasOwn(itemsOfKind, type);

const itemsOf = async (call: CallerCall<Call['params'] & { filter: string }, Services>, player: PlayerCaller): Promise<PlayerItem[]> => {
  const { type, filter } = call.params;
  if (type === 'broadcast') throw featureOff(type);
  // List ids may have a prefix (smart_1), so the list parses them itself.
  const id = idOf(filter) ?? 0;
  if (type === 'democratic') return id === DEMOCRATIC_LIST ? [democraticItem(player, id)] : [];
  if (isOfKind(type)) {
    requireKind(call, type);
    return [...(await itemsOfKind[type](player, [id])).values()];
  }
  const idsOf = Object.hasOwn(songIds, type) ? songIds[type] : undefined;
  if (!idsOf) throw badValue('type', type, oneOf(Object.keys(songIds)));
  const ids = Array.from(await idsOf(call, id)).slice(0, MAX_QUEUED);
  const items = await songItems(player, ids);
  return ids.flatMap((one) => items.get(one) ?? []);
};

const add = async (call: Call, player: PlayerCaller): Promise<boolean> => {
  const { filter, clear } = call.params;
  // Older versions use its older name.
  const parameter = call.policy.version >= 6 ? 'filter' : 'oid';
  if (filter === undefined) throw missing(parameter);
  const items = await itemsOf({ ...call, params: { ...call.params, filter } }, player);
  if (items.length === 0) throw notFound(parameter, filter);
  return (await queueItems(player, items, clear ? 'instead' : 'behind')).isAccepted;
};

const TRACK = /^[1-9]\d{0,5}$/;

const skip = async ({ params: { track } }: Call, player: PlayerCaller): Promise<boolean> => {
  if (track === undefined) throw missing('track');
  if (!TRACK.test(track.trim())) throw badValue('track', track, 'must be the place of a song, from 1');
  return (await skipTo(player, Number(track) - 1, 0)).isAccepted;
};

/** Command of a call; from version 6 on it may be the filter alone. */
const commandOf = ({ params, policy }: Call): string => {
  const command = params.command ?? (policy.version >= 6 ? params.filter : undefined);
  if (command === undefined) throw missing('command');
  if (policy.version === 3 && !OLDEST_COMMANDS.includes(command)) throw badValue('command', command, oneOf(OLDEST_COMMANDS));
  return command;
};

/** Performs a command; false when the player rejected it. */
type Act = (call: Call, player: PlayerCaller) => Promise<boolean>;

const telling =
  (action: PlayerAction): Act =>
  async (_, player) =>
    (await sendPlayerCommand(player, action)).isAccepted;
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
  if (!act) throw badValue('command', command, oneOf([...Object.keys(acts), 'status']));
  const isAccepted = await act(call, player);
  return { kind: 'fields', build: () => commandAnswer(command, isAccepted) };
};

const queue = async (call: CallerCall<unknown, Services>): Promise<NativeResult> => {
  const { things } = await playerQueue(await playerCaller(call));
  return heldList(
    localplaySongObject,
    things.map((thing, index) => ({ thing, track: index + 1 })),
  );
};

/** Method that controls the server's player. */
export const localplayMethods = {
  localplay: method({
    versions: [3, 4, 5, 6, 8],
    access: USUAL_LEVEL,
    aliases: { filter: ['filter', 'oid'] },
    params: localplayParams,
    run: obey,
  }),
  localplay_songs: method({ versions: [5, 6, 8], access: USUAL_LEVEL, params: z.object({}), run: queue }),
};
