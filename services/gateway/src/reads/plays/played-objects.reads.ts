import type { PlayableType } from '@continuo/contracts';
import type { ReadDatabase } from '../database/database.js';
import { episodesByIds, type EpisodeView } from '../podcasts/podcasts.reads.js';
import { songsByIds, type SongView } from '../songs/songs.reads.js';
import { videosByIds, type VideoView } from '../library/videos.reads.js';
import type { Viewer } from '../visibility/viewer.js';

/** An object that can be played, by type and number. */
export interface PlayedObject {
  readonly objectType: PlayableType;
  readonly objectId: number;
}

/** A song, a video or an episode. */
export interface PlayedObjectView {
  readonly song?: SongView;
  readonly video?: VideoView;
  readonly episode?: EpisodeView;
}

/** Names an object among those of all types. */
export const playedObjectKey = ({ objectType, objectId }: PlayedObject): string => `${objectType}-${objectId}`;

/** Numbers of the objects of one type, each once. */
export const idsOfType = (objects: readonly PlayedObject[], type: PlayableType): number[] => [
  ...new Set(objects.filter(({ objectType }) => objectType === type).map(({ objectId }) => objectId)),
];

/** Reads objects of several types, one query for each type. Undefined for objects that are gone or hidden from the viewer. */
export const playedObjects = async (
  db: ReadDatabase,
  viewer: Viewer,
  objects: readonly PlayedObject[],
): Promise<(object: PlayedObject) => PlayedObjectView | undefined> => {
  const [songs, videos, episodes] = await Promise.all([
    songsByIds(db, idsOfType(objects, 'song'), viewer),
    videosByIds(db, idsOfType(objects, 'video'), viewer),
    episodesByIds(db, idsOfType(objects, 'podcast_episode'), viewer),
  ]);
  const views = new Map<string, PlayedObjectView>([
    ...songs.map((song) => [`song-${song.doc.id}`, { song }] as const),
    ...videos.map((video) => [`video-${video.id}`, { video }] as const),
    ...episodes.map((episode) => [`podcast_episode-${episode.id}`, { episode }] as const),
  ]);
  return (object) => views.get(playedObjectKey(object));
};
