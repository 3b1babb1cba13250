import type { EventStore } from '@continuo/chassis';
import type { CatalogId } from '@continuo/contracts';
import { syntheticLibrary } from '@continuo/media-fixtures';
import { libraryEvents } from './library-events.js';

/** Options of generating events. */
export interface GenerateEvents {
  readonly songs: number;
  readonly seed: number;
  /** A catalog that exists already. */
  readonly catalogId: CatalogId;
}

/** Counts of written events. */
export interface GeneratedEvents {
  readonly songs: number;
  readonly events: number;
  /** Position of the last event in the library's stream. */
  readonly position: number;
}

/** The made-up scan took place here; a constant, so that the rows come out the same. */
const AT_MS = Date.UTC(2026, 0, 1);

/**
 * Writes a synthetic library straight into the library's event stream, as a scan would have recorded it.
 * @throws ConcurrencyConflict when folders with these ids are in the log already.
 */
export const generateEvents = async (
  store: EventStore,
  options: GenerateEvents,
  onAppend: (songs: number) => void = () => undefined,
): Promise<GeneratedEvents> => {
  const library = syntheticLibrary(options.songs, options.seed);
  const meta = { actor: 'system', correlationId: `bench-${options.seed}`, causationId: 'bench' };
  let [songs, events, position] = [0, 0, 0];
  for (const append of libraryEvents(library, options.catalogId)) {
    const done = await store.append(append.parts, { ...meta, at: AT_MS + songs });
    songs += append.songs;
    events += append.parts.reduce((sum, part) => sum + part.events.length, 0);
    position = done.position;
    onAppend(append.songs);
  }
  return { songs, events, position };
};
