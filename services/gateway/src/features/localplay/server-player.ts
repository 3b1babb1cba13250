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
import { runLongCommand } from '../../server/commands.js';
import type { CallerWith } from '../../server/requests/request-context.js';
import { songFileName } from '../media/send-song.js';
import { episodeFileName } from '../../reads/podcasts/episode-files.js';
import { liveStreamsByIds } from '../../reads/podcasts/live-streams.reads.js';
import { episodesByIds } from '../../reads/podcasts/podcasts.reads.js';
import { songsByIds, type SongView } from '../../reads/songs/songs.reads.js';
import { videosByIds, type VideoView } from '../../reads/library/videos.reads.js';
import { parsePlayerAddress, playerAddress, type PlayerMedium } from './player-addresses.js';
import { queueEntries, type QueueEntry } from './queue-entries.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasCommands, HasConfig, HasSecrets, HasClock } from '../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel & HasSecrets & HasClock;

/** Caller that controls the player. */
export interface PlayerCaller extends CallerWith<Services> {
  readonly backEnd: PlayerBackEnd;
}

/** Longer than the player's own timeout (`MPD_TIMEOUT_MS`), so that a slow command is not sent twice, ms. */
const COMMAND_MS = 10_000;
/** Most queue entries shown. */
const SHOWN_ENTRIES = 10_000;
/** Most entries queued by one call. */
export const MAX_QUEUED = 10_000;
const TEXT_LENGTH = 255;

const short = (text: string): string => text.toWellFormed().slice(0, TEXT_LENGTH).toWellFormed();

/** Position in the whole song: the player only knows the part that it was sent. */
const withSongPosition = ({ services }: PlayerCaller, status: PlayerStatus): PlayerStatus => {
  const { fromMs = 0 } = (status.current && parsePlayerAddress(services)(status.current.url)) ?? {};
  return status.state === 'stop' || fromMs === 0 ? status : { ...status, positionMs: status.positionMs + fromMs };
};

/** Outcome of a player command. */
export interface PlayerCommandResult {
  readonly isAccepted: boolean;
  readonly status: PlayerStatus;
}

/** Sends a command to the player. @throws Rejection `player.unreachable` */
export const sendPlayerCommand = async (caller: PlayerCaller, action: PlayerAction): Promise<PlayerCommandResult> => {
  const { services, context, backEnd } = caller;
  const { isAccepted, status } = await runLongCommand(
    services,
    context,
    { command: controlPlayer, timeoutMs: COMMAND_MS },
    { backEnd, action },
  );
  return { isAccepted, status: withSongPosition(caller, status) };
};

/** Mode of queueing: appended, instead of it, or instead of all but the present one. */
export type QueueMode = 'behind' | 'instead' | 'replace';

/** Queues items, in as many commands as needed. */
export const queueItems = async (caller: PlayerCaller, items: readonly PlayerItem[], how: QueueMode): Promise<PlayerCommandResult> => {
  const first = items.slice(0, MAX_PLAYER_ITEMS);
  const action: PlayerAction =
    how === 'replace' ? { type: 'replace', items: first } : { type: 'add', items: first, isInstead: how === 'instead' };
  let outcome = await sendPlayerCommand(caller, action);
  for (let at = MAX_PLAYER_ITEMS; at < items.length && outcome.isAccepted; at += MAX_PLAYER_ITEMS)
    outcome = await sendPlayerCommand(caller, { type: 'add', items: items.slice(at, at + MAX_PLAYER_ITEMS), isInstead: false });
  return outcome;
};

const itemOf = (
  { services, context }: PlayerCaller,
  thing: PlayerMedium,
  names: { readonly title: string; readonly artist?: string; readonly album?: string },
): PlayerItem => ({
  url: playerAddress(services, context.caller.account.id, thing),
  title: short(names.title),
  artist: short(names.artist ?? ''),
  album: short(names.album ?? ''),
});

/** Artists of a song in one line. */
export const artistOf = ({ doc }: SongView): string => doc.displayArtist ?? doc.artists.map(({ name }) => name).join(', ');

const songItem = (caller: PlayerCaller, song: SongView, fromMs?: number): PlayerItem => {
  const { title, format, id, album } = song.doc;
  const artist = artistOf(song);
  const fileName = songFileName({ artist, title, format });
  return itemOf(caller, { type: 'song', id, fileName, fromMs }, { title, artist, album: album.name });
};

const videoItem = (caller: PlayerCaller, { id, title, format }: VideoView): PlayerItem =>
  itemOf(caller, { type: 'video', id, fileName: `${title}.${format}` }, { title });

/** Songs to queue, in order of the ids, without those that the caller may not see. */
export const songItems = async (caller: PlayerCaller, ids: ArrayLike<number>): Promise<Map<number, PlayerItem>> => {
  const songs = await songsByIds(caller.services.db, [...new Set(Array.from(ids))], caller.viewer);
  return new Map(songs.map((song) => [song.doc.id, songItem(caller, song)]));
};

/** Videos to queue; see {@link songItems}. */
export const videoItems = async (caller: PlayerCaller, ids: ArrayLike<number>): Promise<Map<number, PlayerItem>> => {
  const videos = await videosByIds(caller.services.db, [...new Set(Array.from(ids))], caller.viewer);
  return new Map(videos.map((video) => [video.id, videoItem(caller, video)]));
};

/** Radio stations to queue: the player is redirected to the station while the user may see it. */
export const stationItems = async (caller: PlayerCaller, ids: ArrayLike<number>): Promise<Map<number, PlayerItem>> => {
  const stations = await liveStreamsByIds(caller.services.db, [...new Set(Array.from(ids))], caller.viewer);
  return new Map(
    stations.map(({ id, name, codec }) => [
      id,
      itemOf(caller, { type: 'live_stream', id, fileName: codec === null ? name : `${name}.${codec}` }, { title: name }),
    ]),
  );
};

/** Episodes to queue: the kept file, or a redirect to the publisher. */
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

/** Queue item that plays the democratic playlist. */
export const democraticItem = (caller: PlayerCaller, listId: number): PlayerItem =>
  itemOf(caller, { type: 'democratic', id: listId, fileName: 'democratic.mp3' }, { title: 'Democratic playlist' });

/** Player status, and the present entry as the caller may see it. */
export interface PlayerView {
  readonly status: PlayerStatus;
  readonly current: QueueEntry | undefined;
}

const read = async (caller: PlayerCaller, offset: number, limit: number): Promise<{ status: PlayerStatus; entries: PlayerEntry[] }> => {
  const { services, context, backEnd } = caller;
  const page = { backEnd, offset, limit };
  const { status, entries } = await runLongCommand(services, context, { command: readPlayer, timeoutMs: COMMAND_MS }, page);
  return { status: withSongPosition(caller, status), entries };
};

/** Containers that players cannot seek in over HTTP, since they must find the end first. */
const UNSEEKABLE: readonly string[] = ['ogg', 'oga', 'opus', 'spx'];
const LAST_MS = 1000;

/** Offset at which the stream must start to play a song from an instant; undefined when the player can seek. */
const beginsAt = ({ doc: { format, durationMs } }: SongView, offsetMs: number): number | undefined =>
  offsetMs > 0 && UNSEEKABLE.includes(format.toLowerCase()) ? Math.max(0, Math.min(offsetMs, durationMs - LAST_MS)) : undefined;

/** Plays an entry from an instant. @throws Rejection `player.unreachable` */
export const skipTo = async (caller: PlayerCaller, index: number, offsetMs: number): Promise<PlayerCommandResult> => {
  const { services, viewer } = caller;
  const [entry] = (await read(caller, index, 1)).entries;
  const thing = entry && parsePlayerAddress(services)(entry.url);
  const [song] = thing?.type === 'song' ? await songsByIds(services.db, [thing.id], viewer) : [];
  const fromMs = song && beginsAt(song, offsetMs);
  // Also restores an entry that was started at another offset.
  if (song && fromMs !== thing?.fromMs)
    await sendPlayerCommand(caller, { type: 'substitute', index, item: songItem(caller, song, fromMs) });
  return sendPlayerCommand(caller, { type: 'skip', index, offsetMs: fromMs === undefined ? offsetMs : 0 });
};

/** Reads the player status. @throws Rejection `player.unreachable` */
export const playerView = async (caller: PlayerCaller): Promise<PlayerView> => {
  const { status } = await read(caller, 0, 0);
  const [current] = await queueEntries(caller.services, caller.viewer, status.current ? [status.current] : []);
  return { status, current };
};

/** Reads the player status and its whole queue. @throws Rejection `player.unreachable` */
export const playerQueue = async (caller: PlayerCaller): Promise<{ status: PlayerStatus; things: QueueEntry[] }> => {
  const first = await read(caller, 0, MAX_PLAYER_PAGE);
  const entries = [...first.entries];
  while (entries.length < Math.min(first.status.length, SHOWN_ENTRIES)) {
    const { entries: more } = await read(caller, entries.length, MAX_PLAYER_PAGE);
    if (more.length === 0) break;
    entries.push(...more);
  }
  return { status: first.status, things: await queueEntries(caller.services, caller.viewer, entries) };
};

/** Skips to the next or previous entry; one that was started within begins at its start. @throws Rejection `player.unreachable` */
export const stepBy = async (caller: PlayerCaller, type: 'next' | 'previous'): Promise<PlayerCommandResult> => {
  const told = await sendPlayerCommand(caller, { type });
  const { current, index } = told.status;
  const thing = current ? parsePlayerAddress(caller.services)(current.url) : undefined;
  return told.isAccepted && index !== null && thing?.fromMs !== undefined ? skipTo(caller, index, 0) : told;
};
