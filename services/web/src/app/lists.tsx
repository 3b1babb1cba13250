import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, type ReactNode } from 'react';
import { AlbumGrid } from '../features/albums/index.js';
import { ArtistList } from '../features/artists/index.js';
import { SongTable } from '../features/songs/index.js';
import { songOrders, type SongOrder } from '../lib/song-sources.js';
import { t } from '../messages/index.js';
import { FilterField } from '../ui/filter-field.js';
import { Tabs } from '../ui/tabs.js';
import { OrderChoice } from '../ui/order-choice.js';
import { ToolRow } from '../ui/tool-row.js';
import { View } from '../ui/view.js';
import { sourceOf, type SongFilter } from './filters.js';

const ORDER_NAMES: Readonly<Record<SongOrder, string>> = {
  title: t.title,
  'title,DESC': t.descending(t.title),
  artist: t.artist,
  'artist,DESC': t.descending(t.artist),
  album: t.album,
  'album,DESC': t.descending(t.album),
  'year,DESC': t.byYear,
  'addition_time,DESC': t.byAdded,
  'total_count,DESC': t.byPlays,
  'rating,DESC': t.byRating,
};

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
            <OrderChoice
              orders={songOrders}
              names={ORDER_NAMES}
              chosen={filter.order ?? 'title'}
              onChoose={(chosen) => change({ order: chosen })}
            />
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

/** Songs, albums and artists that somebody has marked. */
export const FavouritesView = (): ReactNode => {
  const { kind = 'songs' } = useSearch({ from: '/favourites' });
  const navigate = useNavigate({ from: '/favourites' });
  return (
    <View
      title={t.favourites}
      tools={
        <Tabs
          label={t.favourites}
          names={{ songs: t.songs, albums: t.albums, artists: t.artists }}
          shown={kind}
          onShow={(shown) => void navigate({ search: { kind: shown }, replace: true })}
        />
      }
      fills
    >
      {kind === 'songs' && <SongTable source={{ kind: 'favourites' }} label={t.favourites} emptyText={t.noFavourites} />}
      {kind === 'albums' && <AlbumGrid source={{ order: 'name', isFavourite: true }} emptyText={t.noFavourites} />}
      {kind === 'artists' && <ArtistList source={{ isFavourite: true }} emptyText={t.noFavourites} />}
    </View>
  );
};
