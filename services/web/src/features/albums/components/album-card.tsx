import { Link } from '@tanstack/react-router';
import { Heart, HeartOff, Play } from 'lucide-react';
import { memo, Suspense, useState, type MouseEvent, type ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import type { Album } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { Section } from '../../../ui/view.js';
import { setFavourite } from '../../marks/index.js';
import { player } from '../../player/index.js';
import { OpenListMenu } from '../../songs/index.js';
import styles from './album-card.module.css';

const ART_PX = 180;

interface Point {
  readonly x: number;
  readonly y: number;
}

const AlbumMenu = ({
  album,
  place,
  onClose,
}: {
  readonly album: Album;
  readonly place: Point;
  readonly onClose: () => void;
}): ReactNode => {
  const favourite = album.flag ? { name: t.removeFavourite, icon: HeartOff } : { name: t.addFavourite, icon: Heart };
  return (
    <Suspense>
      <OpenListMenu
        source={{ kind: 'album', id: album.id }}
        total={album.songcount}
        name={album.name}
        actions={[{ ...favourite, run: () => setFavourite('album', [album.id], !album.flag) }]}
        place={place}
        onClose={onClose}
      />
    </Suspense>
  );
};

/** An album with its cover. */
export const AlbumCard = ({ album }: { readonly album: Album }): ReactNode => {
  const [place, setPlace] = useState<Point>();
  const openMenu = (event: MouseEvent): void => {
    // A long press of a finger opens the browser's menu of the link.
    if (!matchMedia('(hover: hover)').matches) return;
    event.preventDefault();
    setPlace({ x: event.clientX, y: event.clientY });
  };
  return (
    <div className={styles['card']} onContextMenu={openMenu}>
      <Link to={viewOf('albums', album.id)} className={styles['title'] ?? ''} title={album.name} data-focus>
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
        <Link to={viewOf('artists', album.artist.id)} className={styles['artist'] ?? ''}>
          {album.artist.name}
        </Link>
      )}
      {place && <AlbumMenu album={album} place={place} onClose={() => setPlace(undefined)} />}
    </div>
  );
};

/** Albums in one row, which is scrolled sideways. */
export const AlbumShelf = memo(({ title, albums }: { readonly title: string; readonly albums: readonly Album[] }): ReactNode => (
  <Section title={title}>
    <ul className={styles['shelf']}>
      {albums.map((album) => (
        <li key={album.id}>
          <AlbumCard album={album} />
        </li>
      ))}
    </ul>
  </Section>
));
