import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { AlbumCard, artistAlbumsQuery } from '../../albums/index.js';
import { PlayButtons } from '../../player/index.js';
import { artistQuery } from '../queries.js';
import styles from './artists-view.module.css';

/** An artist and the albums. */
export const ArtistView = ({ id }: { readonly id: string }): ReactNode => {
  const artist = useQuery(artistQuery(id));
  const albums = useQuery(artistAlbumsQuery(id));
  const error = artist.error ?? albums.error;
  if (error) return <Failure error={error} onRetry={() => void Promise.all([artist.refetch(), albums.refetch()])} />;
  if (!artist.data) return <Notice>{t.loading}</Notice>;
  return (
    <View title={artist.data.name}>
      <div className={styles['head']}>
        <PlayButtons source={{ kind: 'artist', id }} total={artist.data.songcount} />
        {artist.data.summary && <p>{artist.data.summary}</p>}
      </div>
      <div className={styles['grid']}>
        {albums.data?.items.map((album) => (
          <AlbumCard key={album.id} album={album} />
        ))}
      </div>
    </View>
  );
};
