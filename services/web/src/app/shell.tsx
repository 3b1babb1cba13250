import { Link, Outlet } from '@tanstack/react-router';
import { Disc3, Heart, House, ListMusic, LogOut, MicVocal, Music, Search, UserRound, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { PlayerBar, QueuePanel } from '../features/player/index.js';
import { base, session } from '../lib/session.js';
import { t } from '../messages/index.js';
import styles from './shell.module.css';

const ICON_PX = 20;
const PLACES: readonly (readonly [
  to: '/' | '/search' | '/albums' | '/artists' | '/songs' | '/playlists' | '/favourites',
  name: string,
  icon: LucideIcon,
])[] = [
  ['/', t.home, House],
  ['/search', t.search, Search],
  ['/albums', t.albums, Disc3],
  ['/artists', t.artists, MicVocal],
  ['/songs', t.songs, Music],
  ['/playlists', t.playlists, ListMusic],
  ['/favourites', t.favourites, Heart],
];

/** What surrounds every view: navigation, the queue, the player. */
export const Shell = (): ReactNode => {
  const [isQueueOpen, setQueueOpen] = useState(false);
  return (
    <div className={styles['shell']}>
      <nav className={styles['nav']} aria-label={t.mainNavigation}>
        <ul>
          {PLACES.map(([to, name, Icon]) => (
            <li key={to}>
              <Link to={to} className={styles['place'] ?? ''} activeOptions={{ exact: to === '/' }}>
                <Icon size={ICON_PX} aria-hidden /> <span>{name}</span>
              </Link>
            </li>
          ))}
        </ul>
        <ul className={styles['end']}>
          <li>
            <a href={`${base}account/me`} className={styles['place']}>
              <UserRound size={ICON_PX} aria-hidden /> <span>{t.account}</span>
            </a>
          </li>
          <li>
            <Button className={styles['place'] ?? ''} onPress={() => void session.signOut()}>
              <LogOut size={ICON_PX} aria-hidden /> <span>{t.signOut}</span>
            </Button>
          </li>
        </ul>
      </nav>
      <main className={styles['main']}>
        <Outlet />
      </main>
      {isQueueOpen && <QueuePanel onClose={() => setQueueOpen(false)} />}
      <footer className={styles['player']}>
        <PlayerBar isQueueOpen={isQueueOpen} onQueue={() => setQueueOpen(!isQueueOpen)} />
      </footer>
    </div>
  );
};
