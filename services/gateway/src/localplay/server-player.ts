import {
  controlPlayer,
  MAX_PLAYER_ITEMS,
  MAX_PLAYER_PAGE,
  readPlayer,
  type PlayerAction,
  type PlayerBackEnd,
  type PlayerEntry,
  type PlayerItem,
  type PlayerStatus,
} from '@continuo/contracts';
import { runLongCommand } from '../commands.js';
import type { CallerContext } from '../http/request-context.js';
import { songFileName } from '../media/send-song.js';
import { episodeFileName } from '../podcast/episode-files.js';
import { liveStreamsByIds } from '../reads/live-streams.reads.js';
import { episodesByIds } from '../reads/podcasts.reads.js';
import { songsByIds, type SongView } from '../reads/songs.reads.js';
import { videosByIds, type VideoView } from '../reads/videos.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { addressedBy, playerAddress, type Addressed } from './player-addresses.js';
import { queuedThings, type QueuedThing } from './queued-things.js';

/** Who has the player do something. */
export interface PlayerCaller {
  readonly services: GatewayServices;
  readonly context: CallerContext;
  readonly viewer: Viewer;
  readonly backEnd: PlayerBackEnd;
}

/** Long enough for a player that takes its whole time (`MPD_TIMEOUT_MS`) to answer the first time it is asked: nothing is done twice. */
const COMMAND_MS = 10_000;
/** As much of a queue is shown. */
const SHOWN_ENTRIES = 10_000;
/** As many things may be queued at once. */
export const MAX_QUEUED = 10_000;
const TEXT_LENGTH = 255;

const short = (text: string): string => text.toWellFormed().slice(0, TEXT_LENGTH).toWellFormed();

/** Where a song that was begun somewhere within is: the player knows of the part alone. */
const inWhole = ({ services }: PlayerCaller, status: PlayerStatus): PlayerStatus => {
  const { fromMs = 0 } = (status.current && addressedBy(services)(status.current.url)) ?? {};
  return status.state === 'stop' || fromMs === 0 ? status : { ...status, positionMs: status.positionMs + fromMs };
};

/** What came of telling the player something. */
export interface Told {
  readonly isAccepted: boolean;
  readonly status: PlayerStatus;
}

/** Tells the player to do something. @throws Rejection `player.unreachable` */
export const tellPlayer = async (caller: PlayerCaller, action: PlayerAction): Promise<Told> => {
  const { services, context, backEnd } = caller;
  const { isAccepted, status } = await runLongCommand(
    services,
    context,
    { command: controlPlayer, timeoutMs: COMMAND_MS },
    { backEnd, action },
  );
  return { isAccepted, status: inWhole(caller, status) };
};

/** How things come into the queue: behind what is there, in its place, or so that what plays goes on. */
export type Queueing = 'behind' | 'instead' | 'replace';

/** Queues things, as many commands as that takes. */
export const queueItems = async (caller: PlayerCaller, items: readonly PlayerItem[], how: Queueing): Promise<Told> => {
  const first = items.slice(0, MAX_PLAYER_ITEMS);
  const action: PlayerAction =
    how === 'replace' ? { type: 'replace', items: first } : { type: 'add', items: first, isInstead: how === 'instead' };
  let outcome = await tellPlayer(caller, action);
  for (let at = MAX_PLAYER_ITEMS; at < items.length && outcome.isAccepted; at += MAX_PLAYER_ITEMS)
    outcome = await tellPlayer(caller, { type: 'add', items: items.slice(at, at + MAX_PLAYER_ITEMS), isInstead: false });
  return outcome;
};

const itemOf = (
  { services, context }: PlayerCaller,
  thing: Addressed,
  names: { readonly title: string; readonly artist?: string; readonly album?: string },
): PlayerItem => ({
  url: playerAddress(services, context.caller.account.id, thing),
  title: short(names.title),
  artist: short(names.artist ?? ''),
  album: short(names.album ?? ''),
});

/** Who a song is by, in one line. */
export const artistOf = ({ doc }: SongView): string => doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', ');

const songItem = (caller: PlayerCaller, song: SongView, fromMs?: number): PlayerItem => {
  const { title, format, id, album } = song.doc;
  const artist = artistOf(song);
  const fileName = songFileName({ artist, title, format });
  return itemOf(caller, { type: 'song', id, fileName, fromMs }, { title, artist, album: album.name });
};

const videoItem = (caller: PlayerCaller, { id, title, format }: VideoView): PlayerItem =>
  itemOf(caller, { type: 'video', id, fileName: `${title}.${format}` }, { title });

/** Songs to be queued, in the order of the ids; those that the caller may not see are none. */
export const songItems = async (caller: PlayerCaller, ids: ArrayLike<number>): Promise<Map<number, PlayerItem>> => {
  const songs = await songsByIds(caller.services.db, [...new Set(Array.from(ids))], caller.viewer);
  return new Map(songs.map((song) => [song.doc.id, songItem(caller, song)]));
};

/** The same for videos. */
export const videoItems = async (caller: PlayerCaller, ids: ArrayLike<number>): Promise<Map<number, PlayerItem>> => {
  const videos = await videosByIds(caller.services.db, [...new Set(Array.from(ids))], caller.viewer);
  return new Map(videos.map((video) => [video.id, videoItem(caller, video)]));
};

/** The same for radio stations: the player is sent on to the station, as long as whoever queued it may see it. */
export const stationItems = async (caller: PlayerCaller, ids: ArrayLike<number>): Promise<Map<number, PlayerItem>> => {
  const stations = await liveStreamsByIds(caller.services.db, [...new Set(Array.from(ids))], caller.viewer);
  return new Map(
    stations.map(({ id, name, codec }) => [
      id,
      itemOf(caller, { type: 'live_stream', id, fileName: codec === null ? name : `${name}.${codec}` }, { title: name }),
    ]),
  );
};

/** The same for episodes: the player is sent what is kept here, or on to the publisher. */
export const episodeItems = async (caller: PlayerCaller, ids: ArrayLike<number>): Promise<Map<number, PlayerItem>> => {
  const episodes = await episodesByIds(caller.services.db, [...new Set(Array.from(ids))], caller.viewer);
  return new Map(
    episodes.map((episode) => {
      const { id, title, podcastTitle } = episode;
      const fileName = episodeFileName(episode);
      return [id, itemOf(caller, { type: 'podcast_episode', id, fileName }, { title, album: podcastTitle })];
    }),
  );
};

/** What plays the list that people vote on. */
export const democraticItem = (caller: PlayerCaller, listId: number): PlayerItem =>
  itemOf(caller, { type: 'democratic', id: listId, fileName: 'democratic.mp3' }, { title: 'Democratic playlist' });

/** What the player does, and what it plays as the caller may see it. */
export interface PlayerView {
  readonly status: PlayerStatus;
  readonly current: QueuedThing | undefined;
}

const read = async (caller: PlayerCaller, offset: number, limit: number): Promise<{ status: PlayerStatus; entries: PlayerEntry[] }> => {
  const { services, context, backEnd } = caller;
  const page = { backEnd, offset, limit };
  const { status, entries } = await runLongCommand(services, context, { command: readPlayer, timeoutMs: COMMAND_MS }, page);
  return { status: inWhole(caller, status), entries };
};

/** Files in which players cannot go on from elsewhere over HTTP, since they would have to look for the end first. */
const UNSEEKABLE: readonly string[] = ['ogg', 'oga', 'opus', 'spx'];
const LAST_MS = 1000;

/** Where a song has to begin already when it is sent, to be played from an instant on; undefined where the player seeks by itself. */
const beginsAt = ({ doc: { format, durationMs } }: SongView, offsetMs: number): number | undefined =>
  offsetMs > 0 && UNSEEKABLE.includes(format.toLowerCase()) ? Math.max(0, Math.min(offsetMs, durationMs - LAST_MS)) : undefined;

/** Plays an entry from an instant on. @throws Rejection `player.unreachable` */
export const skipTo = async (caller: PlayerCaller, index: number, offsetMs: number): Promise<Told> => {
  const { services, viewer } = caller;
  const [entry] = (await read(caller, index, 1)).entries;
  const thing = entry && addressedBy(services)(entry.url);
  const [song] = thing?.type === 'song' ? await songsByIds(services.db, [thing.id], viewer) : [];
  const fromMs = song && beginsAt(song, offsetMs);
  // An entry that was begun elsewhere before is put right, too.
  if (song && fromMs !== thing?.fromMs) await tellPlayer(caller, { type: 'substitute', index, item: songItem(caller, song, fromMs) });
  return tellPlayer(caller, { type: 'skip', index, offsetMs: fromMs === undefined ? offsetMs : 0 });
};

/** What the player does. @throws Rejection `player.unreachable` */
export const playerView = async (caller: PlayerCaller): Promise<PlayerView> => {
  const { status } = await read(caller, 0, 0);
  const [current] = await queuedThings(caller.services, caller.viewer, status.current ? [status.current] : []);
  return { status, current };
};

/** What the player does and everything that it has queued. @throws Rejection `player.unreachable` */
export const playerQueue = async (caller: PlayerCaller): Promise<{ status: PlayerStatus; things: QueuedThing[] }> => {
  const first = await read(caller, 0, MAX_PLAYER_PAGE);
  const entries = [...first.entries];
  while (entries.length < Math.min(first.status.length, SHOWN_ENTRIES)) {
    const { entries: more } = await read(caller, entries.length, MAX_PLAYER_PAGE);
    if (more.length === 0) break;
    entries.push(...more);
  }
  return { status: first.status, things: await queuedThings(caller.services, caller.viewer, entries) };
};

/** Goes on or back by one entry. One that was begun within before begins at its beginning now. @throws Rejection `player.unreachable` */
export const stepBy = async (caller: PlayerCaller, type: 'next' | 'previous'): Promise<Told> => {
  const told = await tellPlayer(caller, { type });
  const { current, index } = told.status;
  const thing = current ? addressedBy(caller.services)(current.url) : undefined;
  return told.isAccepted && index !== null && thing?.fromMs !== undefined ? skipTo(caller, index, 0) : told;
};
