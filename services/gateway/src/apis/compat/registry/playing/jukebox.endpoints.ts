import type { PlayerAction, PlayerItem, PlayerStatus } from '@continuo/contracts';
import {
  episodeItems,
  MAX_QUEUED,
  playerQueue,
  playerView,
  queueItems,
  skipTo,
  songItems,
  stationItems,
  sendPlayerCommand,
  videoItems,
  type PlayerCaller,
  type QueueMode,
  type PlayerCommandResult,
} from '../../../../features/localplay/server-player.js';
import { localplayAvailability } from '../../../../features/localplay/availability.js';
import { objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { parseId } from '../../ids.js';
import { jukeboxPlaylist, jukeboxStatus } from '../../objects/jukebox.object.js';
import { optionalInt, optionalText, requiredWord, textList } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type DocumentEndpoint, type UserCallBase, type Parsed } from '../endpoint.js';
import type { HasConfig, HasCommands, HasSecrets, HasClock } from '../../../../server/needs.js';
import type { HasReadModel } from '../../../../reads/database/database.js';

type Services = HasConfig & HasCommands & HasReadModel & HasSecrets & HasClock;
const { document } = endpointsUsing<Services>();

const access = { ...anybody, role: 'jukebox' } as const;

const params = {
  action: requiredWord('get', 'status', 'set', 'start', 'stop', 'skip', 'add', 'clear', 'remove', 'shuffle', 'setGain'),
  index: optionalInt,
  offset: optionalInt,
  id: textList,
  gain: optionalText,
};
type JukeboxCall = Call<Parsed<typeof params>, Services>;

/** The player caller; the role has been checked. */
const playerOf = ({ services, context, viewer, preferences }: UserCallBase<Services>): PlayerCaller => {
  const standing = localplayAvailability(preferences, context.caller.account);
  if (standing.kind !== 'open') throw new CompatError(50, 'This account lacks the role jukebox');
  return { services, context, viewer, backEnd: standing.backEnd };
};

const missing = (name: string): CompatError => new CompatError(10, `Required parameter is missing: ${name}`);
const nothingThere = (): CompatError => new CompatError(70, 'There is no such song or video');

const indexOf = ({ params: { index } }: JukeboxCall): number => {
  if (index === undefined) throw missing('index');
  if (index < 0) throw new CompatError(10, 'Parameter index counts from 0');
  // The player rejects indexes beyond the queue.
  return Math.min(index, 1_000_000);
};

const SECOND_MS = 1000;
const DAY_S = 86_400;

const offsetMs = ({ params: { offset = 0 } }: JukeboxCall): number => Math.min(Math.max(0, offset), DAY_S) * SECOND_MS;

const gainPercent = ({ params: { gain } }: JukeboxCall): number => {
  if (gain === undefined) throw missing('gain');
  const fraction = /^\+?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})$/.test(gain.trim()) ? Number(gain) : Number.NaN;
  if (!(fraction >= 0 && fraction <= 1)) throw new CompatError(10, 'Parameter gain goes from 0.0 to 1.0');
  return Math.round(fraction * 100);
};

/** Queue items of ids, in order. Unknown ids are rejected before anything is queued. */
const itemsOf = async (call: JukeboxCall, player: PlayerCaller): Promise<PlayerItem[]> => {
  const texts = call.params.id;
  if (texts.length === 0) throw missing('id');
  if (texts.length > MAX_QUEUED) throw new CompatError(10, `Parameter id may be given ${MAX_QUEUED} times`);
  const ids = texts.map((text) => parseId(text, 'song'));
  const of = (kind: string): number[] => ids.flatMap((one) => (one?.kind === kind ? [one.id] : []));
  const [songs, videos, stations, episodes] = await Promise.all([
    songItems(player, of('song')),
    call.services.config.ALLOW_VIDEO ? videoItems(player, of('video')) : new Map<number, PlayerItem>(),
    call.services.config.LIVE_STREAM ? stationItems(player, of('station')) : new Map<number, PlayerItem>(),
    call.services.config.PODCAST ? episodeItems(player, of('episode')) : new Map<number, PlayerItem>(),
  ]);
  const items = new Map([
    ['song', songs],
    ['video', videos],
    ['station', stations],
    ['episode', episodes],
  ]);
  return ids.map((one) => {
    const item = one && items.get(one.kind)?.get(one.id);
    if (!item) throw nothingThere();
    return item;
  });
};

const accepted = ({ isAccepted, status }: PlayerCommandResult, refusal?: CompatError): PlayerStatus => {
  if (!isAccepted && refusal) throw refusal;
  return status;
};

const told = async (player: PlayerCaller, action: PlayerAction, refusal?: CompatError): Promise<PlayerStatus> =>
  accepted(await sendPlayerCommand(player, action), refusal);

const queued = async (call: JukeboxCall, player: PlayerCaller, how: QueueMode): Promise<PlayerStatus> => {
  const { isAccepted, status } = await queueItems(player, await itemsOf(call, player), how);
  if (!isAccepted) throw new CompatError(0, 'The player does not take that many');
  return status;
};

const noEntry = (): CompatError => new CompatError(70, 'The queue has no entry of this index');

type Act = (call: JukeboxCall, player: PlayerCaller) => Promise<PlayerStatus>;

const acts: Readonly<Record<string, Act>> = {
  status: async (_, player) => (await playerView(player)).status,
  set: (call, player) => queued(call, player, 'replace'),
  add: (call, player) => queued(call, player, 'behind'),
  start: (_, player) => told(player, { type: 'play' }),
  // `start` and `stop` mean resume and pause in this protocol.
  stop: (_, player) => told(player, { type: 'pause' }),
  skip: async (call, player) => accepted(await skipTo(player, indexOf(call), offsetMs(call)), noEntry()),
  clear: (_, player) => told(player, { type: 'clear' }),
  remove: (call, player) => told(player, { type: 'remove', index: indexOf(call) }, noEntry()),
  shuffle: (_, player) => told(player, { type: 'shuffle' }),
  setGain: (call, player) =>
    told(player, { type: 'volume', percent: gainPercent(call) }, new CompatError(0, 'What this player plays on has no volume')),
};

const answeringQueue = document({
  access,
  params,
  body: objectBody('jukeboxPlaylist', jukeboxPlaylist),
  answer: (call) => playerQueue(playerOf(call)),
});

const answeringStatus = document({
  access,
  params,
  body: objectBody('jukeboxStatus', jukeboxStatus),
  answer: async (call) => {
    const act = acts[call.params.action];
    if (!act) throw new CompatError(10, 'There is no such action');
    return act(call, playerOf(call));
  },
});

/** Operations of the jukebox. */
export const jukeboxEndpoints = {
  jukeboxControl: {
    ...answeringStatus,
    run: (call) => {
      const [named = ''] = call.bag.get('action') ?? [];
      return (named.trim().toLowerCase() === 'get' ? answeringQueue : answeringStatus).run(call);
    },
  } satisfies DocumentEndpoint<Services>,
} as const;
