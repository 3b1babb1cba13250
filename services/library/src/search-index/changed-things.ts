import type { FolderEvent, PlaylistEvent, RecordedEvent, VideoEvent } from '@continuo/contracts';
import type { SearchKind } from '@continuo/search-index';

/** Things that events may have changed. Their present state is read from the read model. */
export interface ChangedThings {
  readonly ids: Readonly<Record<SearchKind, ReadonlySet<number>>>;
  /** True when an album or an artist that is not named may have lost its last song. */
  readonly isThinned: boolean;
  /** True when a catalog was removed, and with it more things than are listed. */
  readonly isCatalogGone: boolean;
}

class Collector implements ChangedThings {
  readonly ids = {
    song: new Set<number>(),
    album: new Set<number>(),
    artist: new Set<number>(),
    playlist: new Set<number>(),
    video: new Set<number>(),
  };
  isThinned = false;
  isCatalogGone = false;

  add(recorded: RecordedEvent): void {
    const event = recorded as RecordedEvent & (FolderEvent | VideoEvent | PlaylistEvent);
    switch (event.type) {
      case 'TracksAdded':
      case 'TracksChanged':
      case 'TracksMovedIn':
        for (const { songId } of event.data.tracks) this.ids.song.add(songId);
        for (const { id } of event.data.names.albums) this.ids.album.add(id);
        for (const { id } of event.data.names.artists) this.ids.artist.add(id);
        this.isThinned ||= event.type !== 'TracksAdded';
        break;
      case 'TracksRemoved':
        for (const { songId } of event.data.songs) this.ids.song.add(songId);
        this.isThinned = true;
        break;
      case 'VideosAdded':
      case 'VideosChanged':
      case 'VideosMovedIn':
        for (const { videoId } of event.data.videos) this.ids.video.add(videoId);
        break;
      case 'VideosRemoved':
        for (const { videoId } of event.data.videos) this.ids.video.add(videoId);
        break;
      case 'PlaylistCreated':
      case 'PlaylistChanged':
      case 'PlaylistDeleted':
        this.ids.playlist.add(event.data.playlistId);
        break;
      default:
        // Of no matter to what is found by words, apart from the end of a catalog.
        this.isCatalogGone ||= recorded.type === 'CatalogRemoved';
    }
  }
}

/** Collects the things that a run of library events has changed. */
export const changedThings = (events: readonly RecordedEvent[]): ChangedThings => {
  const changed = new Collector();
  for (const event of events) changed.add(event);
  return changed;
};
