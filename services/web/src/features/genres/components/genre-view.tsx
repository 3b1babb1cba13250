import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { Tabs } from '../../../ui/tabs.js';
import { View } from '../../../ui/view.js';
import { AlbumGrid } from '../../albums/index.js';
import { PlayButtons } from '../../player/index.js';
import { SongTable } from '../../songs/index.js';
import { genreQuery } from '../queries.js';

/** A genre with its albums and its songs. */
export const GenreView = ({ id }: { readonly id: string }): ReactNode => {
  const { data: genre, error, refetch } = useQuery(genreQuery(id));
  const [shown, setShown] = useState<'albums' | 'songs'>('albums');
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!genre) return <Notice>{t.loading}</Notice>;
  const source = { kind: 'genre', id } as const;
  return (
    <View
      title={genre.name}
      tools={
        <>
          <Tabs label={genre.name} names={{ albums: t.albums, songs: t.songs }} shown={shown} onShow={setShown} />
          <PlayButtons source={source} total={genre.songs} />
        </>
      }
      fills
    >
      {shown === 'albums' ? <AlbumGrid source={{ order: 'name', genre: id }} /> : <SongTable source={source} label={genre.name} />}
    </View>
  );
};
