import { useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Tabs } from '../../../ui/tabs.js';
import { useData, View } from '../../../ui/view.js';
import { AlbumGrid } from '../../albums/parts.js';
import { PlayButtons } from '../../player/index.js';
import { SongTable } from '../../songs/parts.js';
import { genreQuery } from '../queries.js';

/** A genre with its albums and its songs. */
export const GenreView = ({ id }: { readonly id: string }): ReactNode => {
  const [genre, state] = useData(genreQuery(id));
  const [shown, setShown] = useState<'albums' | 'songs'>('albums');
  if (!genre) return state;
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
