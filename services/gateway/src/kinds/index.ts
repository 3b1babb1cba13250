import type { AnnotatedKind, SharedKind } from '@continuo/contracts';
import type { GatewayConfig } from '../server/config.js';
import { album } from './album.js';
import { albumDisk } from './album-disk.js';
import { artist } from './artist.js';
import { catalog } from './catalog.js';
import { collection } from './collection.js';
import { folder } from './folder.js';
import { follower } from './follower.js';
import { genre } from './genre.js';
import { featureSettings, type Kind } from './kind.js';
import { label } from './label.js';
import { license } from './license.js';
import type { Lists } from '../reads/lists/lists.js';
import { liveStream } from './live-stream.js';
import { playlist } from './playlist.js';
import { podcast } from './podcast.js';
import { deletedPodcastEpisode, podcastEpisode } from './podcast-episode.js';
import { share } from './share.js';
import { playlistSearch, search, smartlist } from './smartlist.js';
import { deletedSong, song } from './song.js';
import { user } from './user.js';
import { deletedVideo, video } from './video.js';

/** All kinds. A new kind is a file of its own and a line here. */
export const kinds = {
  song,
  album,
  album_disk: albumDisk,
  artist,
  genre,
  label,
  license,
  catalog,
  folder,
  user,
  follower,
  share,
  video,
  live_stream: liveStream,
  playlist,
  playlist_search: playlistSearch,
  smartlist,
  search,
  collection,
  podcast,
  podcast_episode: podcastEpisode,
  deleted_song: deletedSong,
  deleted_video: deletedVideo,
  deleted_podcast_episode: deletedPodcastEpisode,
} as const satisfies Readonly<Record<string, Kind>> &
  Readonly<Record<AnnotatedKind | 'user', Required<Pick<Kind, 'source'>>>> &
  Readonly<Record<SharedKind, Required<Pick<Kind, 'names'>>>> &
  Readonly<Record<Exclude<SharedKind, 'search'>, Required<Pick<Kind, 'art'>>>>;

type Kinds = typeof kinds;

/** Names of the kinds that have a part. */
export type KindWith<P extends keyof Kind> = { [K in keyof Kinds]: Kinds[K] extends Record<P, unknown> ? K : never }[keyof Kinds];

/** One part of all kinds that have it, by kind. */
const partsOf = <P extends keyof Kind>(part: P): Readonly<Record<KindWith<P>, NonNullable<Kind[P]>>> =>
  Object.fromEntries(Object.entries<Kind>(kinds).flatMap(([name, kind]) => (kind[part] ? [[name, kind[part]]] : []))) as never;

/** Kinds that can be listed. */
export type ListKind = KindWith<'list'>;

/** List definition of each kind. */
export const listDefinitions = partsOf('list');

/** Uses the ordered id lists that pages are cut from. */
export interface HasLists {
  readonly lists: Lists<ListKind>;
}

/** Kinds that can be listed by name alone. */
export type NamedKind = KindWith<'names'>;

/** Sources of the names of each kind. */
export const nameSources = partsOf('names');

/** Kinds with pictures. */
export type PicturedKind = KindWith<'art'>;

/** Reads of the picture of each kind. A disk has that of its album, and so has a song without one of its own. */
export const artReads = partsOf('art');

/** True for the name of a kind with pictures. */
export const isPictured = (kind: string): kind is PicturedKind => Object.hasOwn(artReads, kind);

/** Settings that switch features on. */
export type FeatureConfig = Pick<GatewayConfig, (typeof featureSettings)[keyof typeof featureSettings]>;

/** Feature of a kind that is off on this server; undefined when the kind is available. */
export const disabledFeature = (kind: string, config: FeatureConfig): keyof typeof featureSettings | undefined => {
  const feature = Object.hasOwn(kinds, kind) ? (kinds as Readonly<Record<string, Kind>>)[kind]?.feature : undefined;
  return feature !== undefined && !config[featureSettings[feature]] ? feature : undefined;
};
