import { InMemoryEventStore } from '@continuo/chassis/testkit';
import { catalogId, folderEvents, type EventDefinition, type RecordedEvent, type RecordedTrack } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { syntheticLibrary } from '@continuo/media-fixtures';
import { generateEvents } from './generate-events.js';
import { libraryEvents } from './library-events.js';

const catalog = catalogId.parse(3);
const eventsOf = (songs: number, seed = 1) =>
  [...libraryEvents(syntheticLibrary(songs, seed), catalog)].flatMap(({ parts }) => parts.flatMap(({ events }) => events));
const definitions = new Map<string, EventDefinition>(
  (folderEvents as readonly EventDefinition[]).map((definition) => [definition.type, definition]),
);

describe('libraryEvents', () => {
  it('are events that the contract accepts, unchanged', () => {
    for (const event of eventsOf(300)) {
      const definition = definitions.get(event.type);
      expect(definition?.schema.parse(event.data)).toEqual(event.data);
    }
  });

  it('add every song once', () => {
    const ids = eventsOf(1000).flatMap((event) =>
      event.type === 'TracksAdded' ? (event.data as { tracks: RecordedTrack[] }).tracks.map((track) => track.songId) : [],
    );
    expect(ids).toHaveLength(1000);
    expect(new Set(ids).size).toBe(1000);
  });

  it('name parents before their children', () => {
    const met = new Set<number>();
    const early: number[] = [];
    for (const event of eventsOf(1000)) {
      const data = event.data as { folderId: number; parentId?: number | null };
      const needed = event.type === 'FolderDiscovered' ? data.parentId : data.folderId;
      if (needed && !met.has(needed)) early.push(data.folderId);
      met.add(data.folderId);
    }
    expect(early).toEqual([]);
  });

  it('point only to names that stand in the same event', () => {
    for (const event of eventsOf(1000)) {
      if (event.type !== 'TracksAdded') continue;
      const { names, tracks } = event.data as {
        names: Record<'artists' | 'albums' | 'genres' | 'moods', { id: number }[]>;
        tracks: RecordedTrack[];
      };
      const known = (kind: keyof typeof names) => new Set(names[kind].map(({ id }) => id));
      expect(new Set(tracks.flatMap((track) => track.artistIds as number[])).isSubsetOf(known('artists'))).toBe(true);
      expect(new Set(tracks.flatMap((track) => track.genreIds as number[])).isSubsetOf(known('genres'))).toBe(true);
      expect(new Set(tracks.map((track) => track.albumId as number)).isSubsetOf(known('albums'))).toBe(true);
    }
  });

  it('fit into atomic batches', () => {
    for (const { parts } of libraryEvents(syntheticLibrary(5000, 1), catalog)) {
      expect(parts.reduce((sum, { events }) => sum + events.length, 0)).toBeLessThanOrEqual(1000);
      expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
    }
  });
});

describe('generateEvents', () => {
  it('writes the same log for the same options', async () => {
    const write = async (): Promise<RecordedEvent[]> => {
      const store = new InMemoryEventStore();
      const done = await generateEvents(store, { songs: 60, seed: 5, catalogId: catalog });
      expect(done).toMatchObject({ songs: 60, position: await store.lastPosition('library') });
      return store.read('library', 'folder', 3);
    };
    expect(await write()).toEqual(await write());
  });
});
