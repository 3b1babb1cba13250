import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { Failure, Notice } from '../../../ui/states.js';
import { PlayButtons } from '../../player/index.js';
import { SongTable } from '../../songs/index.js';
import { albumQuery } from '../queries.js';
import styles from './album-view.module.css';

const ART_PX = 220;

/** An album with its songs. */
export const AlbumView = ({ id }: { readonly id: string }): ReactNode => {
  const { data: album, error, refetch } = useQuery(albumQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!album) return <Notice>{t.loading}</Notice>;
  const source = { kind: 'album', id } as const;
  return (
    <div className={styles['view']}>
      <header className={styles['head']}>
        <span className={styles['art']}>
          <Art url={album.art} has={album.has_art} px={ART_PX} />
        </span>
        <div>
          <h1>{album.name}</h1>
          <p>
            {album.artist && (
              <Link to="/artists/$id" params={{ id: album.artist.id }}>
                {album.artist.name}
              </Link>
            )}
            {album.year > 0 && ` · ${album.year}`} · {t.songCount(album.songcount)}
          </p>
          <PlayButtons source={source} total={album.songcount} />
        </div>
      </header>
      <div className={styles['songs']}>
        <SongTable source={source} label={album.name} />
      </div>
    </div>
  );
};
