import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import { SongTable } from '../features/songs/parts.js';
import type { SongOrder } from '../lib/song-sources.js';
import { t } from '../messages/index.js';
import { Choice, FilterField, type Options } from '../ui/fields.js';
import { ToolRow, View } from '../ui/view.js';
import { sourceOf, type SongFilter } from './filters.js';

const ORDERS: Options<SongOrder> = [
  ['title', t.title],
  ['title,DESC', t.descending(t.title)],
  ['artist', t.artist],
  ['artist,DESC', t.descending(t.artist)],
  ['album', t.album],
  ['album,DESC', t.descending(t.album)],
  ['year,DESC', t.byYear],
  ['addition_time,DESC', t.byAdded],
  ['total_count,DESC', t.byPlays],
  ['rating,DESC', t.byRating],
];

/** All songs, or those of an artist. */
export const SongsView = (): ReactNode => {
  const filter = useSearch({ from: '/songs' });
  const navigate = useNavigate({ from: '/songs' });
  const deferred = useDeferredValue(filter);
  const { order = 'title', name, artist } = deferred;
  const change = (changed: SongFilter): void => void navigate({ search: { ...filter, ...changed }, replace: true });
  const source = sourceOf(deferred);
  return (
    <View
      title={t.songs}
      tools={
        artist === undefined && (
          <ToolRow>
            <FilterField value={filter.name} onFilter={(wanted) => change({ name: wanted })} />
            <Choice label={t.order} options={ORDERS} chosen={filter.order ?? 'title'} onChoose={(chosen) => change({ order: chosen })} />
          </ToolRow>
        )
      }
      fills
    >
      <SongTable
        key={JSON.stringify(source)}
        source={source}
        label={t.songs}
        emptyText={name ? t.nothingMatches : t.emptyLibrary}
        {...(artist === undefined ? { sorting: { order, onOrder: (chosen: SongOrder) => change({ order: chosen }) } } : {})}
      />
    </View>
  );
};
