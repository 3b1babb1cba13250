import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Album } from '../../../lib/api.js';
import { Art } from '../../../ui/art.js';
import styles from './album-card.module.css';

const ART_PX = 180;

/** An album with its cover. */
export const AlbumCard = ({ album }: { readonly album: Album }): ReactNode => (
  <div className={styles['card']}>
    <Link to="/albums/$id" params={{ id: album.id }} className={styles['title'] ?? ''}>
      <Art url={album.art} has={album.has_art} px={ART_PX} />
      {album.name}
    </Link>
    {album.artist && (
      <Link to="/artists/$id" params={{ id: album.artist.id }} className={styles['artist'] ?? ''}>
        {album.artist.name}
      </Link>
    )}
  </div>
);
