import type { FolderEvent, RecordedEvent, VideoEvent, VideoTable } from '@continuo/contracts';
import { videoRow } from './video-row.js';

type Arrival = RecordedEvent<Extract<VideoEvent, { type: 'VideosAdded' | 'VideosChanged' | 'VideosMovedIn' }>>;
type Discovery = RecordedEvent<Extract<FolderEvent, { type: 'FolderDiscovered' }>>;
type Removal = RecordedEvent<Extract<VideoEvent, { type: 'VideosRemoved' }>>;

/**
 * The net effect of a run of events about folders and their videos. Videos never come back under the id of one that went, so a video that came and went within
 * the run is written and then taken away like any other.
 */
export class VideoChanges {
  /** Last row of every video that came or changed. */
  readonly rows = new Map<number, VideoTable>();
  /** Time at which videos were removed, by id; epoch milliseconds. */
  readonly removed = new Map<number, number>();
  readonly genres = new Map<number, string>();
  /** Genre ids of each video of `rows`, in order. */
  readonly genresOf = new Map<number, readonly number[]>();
  readonly folders = new Map<number, { id: number; catalog_id: number; parent_id: number | null }>();
  /** Position of the last event that changed the list of videos, and that of deletions. */
  listPosition = 0;
  deletedPosition = 0;

  /** Every video of this run. */
  ids(): number[] {
    return [...new Set([...this.rows.keys(), ...this.removed.keys()])].toSorted((a, b) => a - b);
  }

  apply(event: RecordedEvent): void {
    switch (event.type) {
      case 'FolderDiscovered': {
        const { folderId, catalogId, parentId } = (event as Discovery).data;
        this.folders.set(folderId, { id: folderId, catalog_id: catalogId, parent_id: parentId });
        break;
      }
      case 'VideosAdded':
      case 'VideosChanged':
      case 'VideosMovedIn':
        this.#arrive(event as Arrival);
        break;
      case 'VideosRemoved':
        for (const { videoId } of (event as Removal).data.videos) this.removed.set(videoId, event.at);
        this.listPosition = event.position;
        this.deletedPosition = event.position;
        break;
      default:
        // What leaves a folder for another one follows that one's event.
        break;
    }
  }

  #arrive({ data, at, position }: Arrival): void {
    for (const { id, name } of data.names.genres) this.genres.set(id, name);
    for (const video of data.videos) {
      const row = videoRow(video, data, data.names, at);
      this.rows.set(row.id, { ...row, added_at_ms: this.rows.get(row.id)?.added_at_ms ?? at });
      this.genresOf.set(row.id, video.genreIds);
    }
    this.listPosition = position;
  }
}
