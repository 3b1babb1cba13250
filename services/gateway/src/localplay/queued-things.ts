import type { PlayerEntry } from '@continuo/contracts';
import { liveStreamsByIds, type LiveStreamView } from '../reads/live-streams.reads.js';
import { episodesByIds, type EpisodeView } from '../reads/podcasts.reads.js';
import { songsByIds, type SongView } from '../reads/songs.reads.js';
import { videosByIds, type VideoView } from '../reads/videos.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { addressedBy, plainAddress } from './player-addresses.js';

/** An entry of a player's queue as somebody may see it. */
export type QueuedThing =
  | { readonly kind: 'song'; readonly song: SongView }
  | { readonly kind: 'video'; readonly video: VideoView }
  | { readonly kind: 'podcast_episode'; readonly episode: EpisodeView }
  /** A radio station, and what it plays once the player has heard it say so. */
  | { readonly kind: 'live_stream'; readonly station: LiveStreamView; readonly title: string | undefined }
  /** The list that people vote on. */
  | { readonly kind: 'democratic'; readonly id: number }
  /** Something of this server that the viewer may not see, or that is gone: it has a place, and no more. */
  | { readonly kind: 'hidden' }
  /** What another program has queued. */
  | { readonly kind: 'foreign'; readonly entry: PlayerEntry };

type Sources = Pick<GatewayServices, 'db' | 'config' | 'secrets' | 'now'>;

/** What the entries of a queue are for a viewer, each in its place. */
export const queuedThings = async (sources: Sources, viewer: Viewer, entries: readonly PlayerEntry[]): Promise<QueuedThing[]> => {
  const { db, config } = sources;
  const addressed = addressedBy(sources);
  const named = entries.map((entry) => ({ entry, thing: addressed(entry.url) }));
  const idsOf = (type: string): number[] => [...new Set(named.flatMap(({ thing }) => (thing?.type === type ? [thing.id] : [])))];
  const [songs, videos, stations, episodes] = await Promise.all([
    songsByIds(db, idsOf('song'), viewer),
    config.ALLOW_VIDEO ? videosByIds(db, idsOf('video'), viewer) : [],
    config.LIVE_STREAM ? liveStreamsByIds(db, idsOf('live_stream'), viewer) : [],
    config.PODCAST ? episodesByIds(db, idsOf('podcast_episode'), viewer) : [],
  ]);
  const songOf = new Map(songs.map((song) => [song.doc.id, song]));
  const videoOf = new Map(videos.map((video) => [video.id, video]));
  const stationOf = new Map(stations.map((station) => [station.id, station]));
  const episodeOf = new Map(episodes.map((episode) => [episode.id, episode]));
  return named.map(({ entry, thing }): QueuedThing => {
    if (!thing) return { kind: 'foreign', entry: { ...entry, url: plainAddress(entry.url) } };
    if (thing.type === 'democratic') return { kind: 'democratic', id: thing.id };
    const song = thing.type === 'song' ? songOf.get(thing.id) : undefined;
    const video = thing.type === 'video' ? videoOf.get(thing.id) : undefined;
    const station = thing.type === 'live_stream' ? stationOf.get(thing.id) : undefined;
    const episode = thing.type === 'podcast_episode' ? episodeOf.get(thing.id) : undefined;
    if (song) return { kind: 'song', song };
    if (episode) return { kind: 'podcast_episode', episode };
    // The player was told the station's name; another title comes from the station itself.
    if (station) return { kind: 'live_stream', station, title: entry.title === station.name ? undefined : entry.title || undefined };
    return video ? { kind: 'video', video } : { kind: 'hidden' };
  });
};
