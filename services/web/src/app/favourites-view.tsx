import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AlbumGrid } from '../features/albums/parts.js';
import { ArtistList } from '../features/artists/components/artists-view.js';
import { SongTable } from '../features/songs/parts.js';
import { t } from '../messages/index.js';
import { Tabs } from '../ui/tabs.js';
import { View } from '../ui/view.js';

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
