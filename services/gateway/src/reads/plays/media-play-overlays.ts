import { sql, type RawBuilder } from 'kysely';
import { integerOf } from '../lists/text-filters.js';
import type { FilterRow, Overlay, SortRow } from '../lists/list-query.js';

/** Source of plays of media other than songs: `p` are rows of playback.media_plays. */
export interface MediaPlaySource {
  /** Names the kind in the cache. */
  readonly name: string;
  readonly objectType: 'video' | 'podcast_episode';
  /** The listed thing that a row belongs to, and the joins that lead there; they stay inside a catalog, so that no hidden play shows. */
  readonly id: RawBuilder<number>;
  readonly join: RawBuilder<unknown>;
}

const facts = { plays: sql`sum(p.play_count)`, last: sql`max(p.last_played_at_ms)` } as const;

/** Plays of media are few beside those of songs, and are read each time. */
const overlayOf = ({ name, objectType, id, join }: MediaPlaySource, fact: keyof typeof facts): Overlay => ({
  key: JSON.stringify([name, 'media', fact]),
  ids: sql`select ${id} as id from playback.media_plays p ${join} where p.object_type = ${objectType} and p.play_count > 0
    group by 1 order by ${facts[fact]}, 1`,
});

/** `unplayed`, of which only the value 1 has an effect. */
export const unplayedMediaFilter = (source: MediaPlaySource): FilterRow => ({
  overlay: (value) => (integerOf(value) === 1 ? { overlay: overlayOf(source, 'plays'), keep: false } : undefined),
});

/** Orders by how often, and when last. */
export const mediaPlaySorts = (source: MediaPlaySource): Record<'total_count' | 'last_played', SortRow> => ({
  total_count: { overlay: () => overlayOf(source, 'plays') },
  last_played: { overlay: () => overlayOf(source, 'last') },
});
