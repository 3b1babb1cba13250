import {
  accessListEvents,
  administratorEvents,
  annotationEvents,
  artistInfoEvents,
  bookmarkEvents,
  catalogEvents,
  catalogGroupEvents,
  catalogPathEvents,
  chatEvents,
  collectionEvents,
  democraticListenerEvents,
  democraticSongEvents,
  externalIdentityEvents,
  folderEvents,
  foundArtEvents,
  followEvents,
  genreEvents,
  liveStreamEvents,
  playEvents,
  playQueueEvents,
  playlistEvents,
  playlistFileEvents,
  playlistFolderEvents,
  podcastArtEvents,
  podcastEvents,
  podcastFeedEvents,
  preferenceEvents,
  relayEvents,
  scanEvents,
  shareEvents,
  smartlistEvents,
  shoutEvents,
  sonicRunEvents,
  sonicSongEvents,
  transcodeBatchEvents,
  upcast,
  userEmailEvents,
  userEvents,
  userNameEvents,
  videoEvents,
  webhookEvents,
  type EventDefinition,
} from '@continuo/contracts';
import type { Upcaster } from './headers.js';

/** Every event type that any stream may hold, by name. */
const definitions = new Map<string, EventDefinition>(
  [
    folderEvents,
    genreEvents,
    catalogEvents,
    catalogPathEvents,
    artistInfoEvents,
    foundArtEvents,
    scanEvents,
    transcodeBatchEvents,
    sonicSongEvents,
    sonicRunEvents,
    userEvents,
    userNameEvents,
    userEmailEvents,
    externalIdentityEvents,
    administratorEvents,
    accessListEvents,
    annotationEvents,
    followEvents,
    shoutEvents,
    chatEvents,
    catalogGroupEvents,
    shareEvents,
    smartlistEvents,
    liveStreamEvents,
    playEvents,
    bookmarkEvents,
    playQueueEvents,
    democraticSongEvents,
    democraticListenerEvents,
    playlistEvents,
    playlistFileEvents,
    playlistFolderEvents,
    collectionEvents,
    podcastArtEvents,
    podcastEvents,
    podcastFeedEvents,
    preferenceEvents,
    relayEvents,
    videoEvents,
    webhookEvents,
  ].flatMap((group) => (group as readonly EventDefinition[]).map((definition) => [definition.type, definition] as const)),
);

/** Every published definition, in the order of the groups. */
export const publishedEvents = (): readonly EventDefinition[] => [...definitions.values()];

/** The published definition of a type of event; undefined for one that this release does not know. */
export const definitionOf = (type: string): EventDefinition | undefined => definitions.get(type);

/** Upcasts by the published definitions; a type that this release does not know passes through, for readers to skip. */
export const upcastPublished: Upcaster = (type, v, data) => {
  const definition = definitions.get(type);
  if (!definition || definition.v <= v) return { v, data };
  return { v: definition.v, data: upcast(definition, v, data) };
};
