import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Album } from '../../../lib/api.js';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { Failure, Notice } from '../../../ui/states.js';
import { Heart, Stars } from '../../marks/index.js';
import { PlayButtons } from '../../player/index.js';
import { ListMenu, SongTable } from '../../songs/index.js';
import { albumQuery } from '../queries.js';
import styles from './album-view.module.css';

const ART_PX = 220;

const AlbumHead = ({ album }: { readonly album: Album }): ReactNode => (
  <header className={styles['head']}>
    <span className={styles['art']}>
      <Art url={album.art} has={album.has_art} px={ART_PX} />
    </span>
    <div className={styles['facts']}>
      <h1>{album.name}</h1>
      <p>
        {album.artist && (
          <Link to="/artists/$id" params={{ id: album.artist.id }}>
            {album.artist.name}
          </Link>
        )}
        <span className={styles['dim']}>
          {album.year > 0 && ` · ${album.year}`} · {t.songCount(album.songcount)} · {clock(album.time)}
        </span>
      </p>
      {album.genre.length > 0 && (
        <p className={styles['genres']}>
          {album.genre.map(({ id, name }) => (
            <Link key={id} to="/genres/$id" params={{ id }}>
              {name}
            </Link>
          ))}
        </p>
      )}
      <div className={styles['tools']}>
        <PlayButtons source={{ kind: 'album', id: album.id }} total={album.songcount} />
        <Heart kind="album" object={album} name={album.name} />
        <Stars kind="album" object={album} name={album.name} />
        <ListMenu source={{ kind: 'album', id: album.id }} total={album.songcount} name={album.name} />
      </div>
    </div>
  </header>
);

/** An album with its songs. */
export const AlbumView = ({ id }: { readonly id: string }): ReactNode => {
  const { data: album, error, refetch } = useQuery(albumQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!album) return <Notice>{t.loading}</Notice>;
  return <SongTable source={{ kind: 'album', id }} label={album.name} intro={<AlbumHead album={album} />} hasDiscs={album.diskcount > 1} />;
};
