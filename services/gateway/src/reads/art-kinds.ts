import { albumDiskArt } from './album-disks.reads.js';
import { albumArt } from './albums.reads.js';
import { artistArt } from './artists.reads.js';
import type { ReadDatabase } from './database.js';
import { folderPicture } from './folders.reads.js';
import { labelArt } from './labels.reads.js';
import { liveStreamArt } from './live-streams.reads.js';
import { playlistArt } from './playlists.reads.js';
import { episodeArt, podcastArt } from './podcasts.reads.js';
import { songArt } from './songs.reads.js';
import { videoArt } from './videos.reads.js';
import type { Viewer } from './viewer.js';

type ArtRead = (db: ReadDatabase, id: number, viewer: Viewer) => Promise<string | null | undefined>;

/**
 * Where the picture of each kind is found: its hash, null when the thing has none, undefined when there is no such thing for the viewer. A disk has that of its
 * album, and so has a song without one of its own.
 */
export const artReads = {
  album: albumArt,
  album_disk: albumDiskArt,
  artist: artistArt,
  folder: folderPicture,
  label: labelArt,
  live_stream: liveStreamArt,
  playlist: playlistArt,
  podcast: podcastArt,
  podcast_episode: episodeArt,
  song: songArt,
  video: videoArt,
} as const satisfies Readonly<Record<string, ArtRead>>;

/** A kind that pictures are kept for. */
export type PicturedKind = keyof typeof artReads;

/** True for the name of such a kind. */
export const isPictured = (kind: string): kind is PicturedKind => Object.hasOwn(artReads, kind);
