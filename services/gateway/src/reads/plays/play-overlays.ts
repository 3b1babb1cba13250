import { sql, type RawBuilder } from 'kysely';
import { integerOf } from '../lists/text-filters.js';
import type { FilterRow, Overlay, SortRow } from '../lists/list-query.js';
import type { Viewer } from '../visibility/viewer.js';

/**
 * Source of the plays of a kind: `p` are the rows of playback.song_plays, joined with what leads from a song to the things of the kind.
 */
export interface PlaySource {
  /** Names the kind in the cache. */
  readonly name: string;
  readonly id: RawBuilder<number>;
  /** The joins from `p` on; they depend on the viewer where a thing lies in several catalogs, so that hidden plays do not show. */
  readonly join: (viewer: Viewer) => RawBuilder<unknown>;
  /** True when a thing has several songs, whose plays are summed up. */
  readonly grouped: boolean;
  /** Keeps overlays of different viewers apart where the joins differ. */
  readonly perViewer?: boolean;
}

const facts = {
  plays: { each: sql`p.play_count`, all: sql`sum(p.play_count)`, present: sql`p.play_count > 0` },
  skips: { each: sql`p.skip_count`, all: sql`sum(p.skip_count)`, present: sql`p.skip_count > 0` },
  last: { each: sql`p.last_played_at_ms`, all: sql`max(p.last_played_at_ms)`, present: sql`p.last_played_at_ms is not null` },
} as const;

const overlayOf = (source: PlaySource, fact: keyof typeof facts, viewer: Viewer): Overlay => {
  const { each, all, present } = facts[fact];
  const rows = sql`from playback.song_plays p ${source.join(viewer)} where ${present}`;
  return {
    key: JSON.stringify([source.name, fact, source.perViewer ? viewer.catalogs : '']),
    ids: source.grouped
      ? sql`select ${source.id} as id ${rows} group by ${source.id} order by ${all}, ${source.id}`
      : sql`select ${source.id} as id ${rows} order by ${each}, ${source.id}`,
    changesWith: 'plays',
    isCostly: source.grouped,
  };
};

/** `unplayed`, of which only the value 1 has an effect. */
export const unplayedFilter = (source: PlaySource): FilterRow => ({
  overlay: (value, viewer) => (integerOf(value) === 1 ? { overlay: overlayOf(source, 'plays', viewer), keep: false } : undefined),
});

/** Orders by how often, when last, and how often not. */
export const playSorts = (source: PlaySource): Record<'total_count' | 'total_skip' | 'last_played', SortRow> => ({
  total_count: { overlay: (viewer) => overlayOf(source, 'plays', viewer) },
  total_skip: { overlay: (viewer) => overlayOf(source, 'skips', viewer) },
  last_played: { overlay: (viewer) => overlayOf(source, 'last', viewer) },
});

/** Plays of songs. */
export const songPlays: PlaySource = { name: 'song', id: sql`p.song_id`, join: () => sql``, grouped: false };
