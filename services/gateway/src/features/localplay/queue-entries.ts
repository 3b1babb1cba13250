import type { PlayerEntry } from '@continuo/contracts';
import { liveStreamsByIds, type LiveStreamView } from '../../reads/podcasts/live-streams.reads.js';
import { episodesByIds, type EpisodeView } from '../../reads/podcasts/podcasts.reads.js';
import { songsByIds, type SongView } from '../../reads/songs/songs.reads.js';
import { videosByIds, type VideoView } from '../../reads/library/videos.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { parsePlayerAddress, plainAddress } from './player-addresses.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasClock, HasConfig, HasSecrets } from '../../server/needs.js';

/** An entry of the player's queue as a user may see it. */
export type QueueEntry =
  | { readonly kind: 'song'; readonly song: SongView }
  | { readonly kind: 'video'; readonly video: VideoView }
  | { readonly kind: 'podcast_episode'; readonly episode: EpisodeView }
  /** A radio station, with the title that the player received. */
  | { readonly kind: 'live_stream'; readonly station: LiveStreamView; readonly title: string | undefined }
  /** The democratic playlist. */
  | { readonly kind: 'democratic'; readonly id: number }
  /** An entry of this server that the user may not see or that is deleted. */
  | { readonly kind: 'hidden' }
  /** An entry that another program queued. */
  | { readonly kind: 'foreign'; readonly entry: PlayerEntry };

type Sources = HasReadModel & HasConfig & HasSecrets & HasClock;

/** Reads the entries of a queue for a viewer, in order. */
export const queueEntries = async (sources: Sources, viewer: Viewer, entries: readonly PlayerEntry[]): Promise<QueueEntry[]> => {
  const { db, config } = sources;
  const addressed = parsePlayerAddress(sources);
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
  return named.map(({ entry, thing }): QueueEntry => {
    if (!thing) return { kind: 'foreign', entry: { ...entry, url: plainAddress(entry.url) } };
    if (thing.type === 'democratic') return { kind: 'democratic', id: thing.id };
    const song = thing.type === 'song' ? songOf.get(thing.id) : undefined;
    const video = thing.type === 'video' ? videoOf.get(thing.id) : undefined;
    const station = thing.type === 'live_stream' ? stationOf.get(thing.id) : undefined;
    const episode = thing.type === 'podcast_episode' ? episodeOf.get(thing.id) : undefined;
    if (song) return { kind: 'song', song };
    if (episode) return { kind: 'podcast_episode', episode };
    // The player knows the station by name; any other title comes from the stream.
    if (station) return { kind: 'live_stream', station, title: entry.title === station.name ? undefined : entry.title || undefined };
    return video ? { kind: 'video', video } : { kind: 'hidden' };
  });
};
