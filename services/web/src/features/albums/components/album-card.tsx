import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Album } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { player } from '../../player/index.js';
import styles from './album-card.module.css';

const ART_PX = 180;

/** An album with its cover. */
export const AlbumCard = ({ album }: { readonly album: Album }): ReactNode => (
  <div className={styles['card']}>
    <Link to="/albums/$id" params={{ id: album.id }} className={styles['title'] ?? ''} title={album.name} data-focus>
      <Art url={album.art} has={album.has_art} px={ART_PX} />
      <span className={styles['name']}>{album.name}</span>
    </Link>
    <button
      type="button"
      className={styles['play']}
      aria-label={t.playNamed(album.name)}
      onClick={() => void player.playSource({ kind: 'album', id: album.id }, { total: album.songcount })}
    >
      <Play size={20} aria-hidden fill="currentColor" />
    </button>
    {album.artist && (
      <Link to="/artists/$id" params={{ id: album.artist.id }} className={styles['artist'] ?? ''}>
        {album.artist.name}
      </Link>
    )}
  </div>
);
