import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AudioLines } from 'lucide-react';
import type { ReactNode } from 'react';
import { songsOf } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { Chips } from '../../../ui/chips.js';
import { announceFailure } from '../../../ui/announcements.js';
import { Failure } from '../../../ui/states.js';
import { player } from '../../player/index.js';
import { mixesQuery, othersPlayQuery } from '../queries.js';
import styles from './home-view.module.css';

const playMix = async (id: string): Promise<void> => {
  const source = { kind: 'mix', id } as const;
  const { total } = await songsOf(source, 0, 1);
  await player.playSource(source, { total });
};

const Mixes = (): ReactNode => {
  const { data: songs = [], error, refetch } = useQuery(mixesQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (songs.length === 0) return null;
  return (
    <section className={styles['shelf']}>
      <h2>{t.mixes}</h2>
      <Chips>
        {songs.map(({ id, title, artist }) => (
          <li key={id}>
            <button type="button" onClick={() => void playMix(id).catch(announceFailure)}>
              <AudioLines size={14} aria-hidden /> {t.mixLike(title, artist.name)}
            </button>
          </li>
        ))}
      </Chips>
    </section>
  );
};

const OthersPlay = (): ReactNode => {
  const { data: others = [], error, refetch } = useQuery(othersPlayQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (others.length === 0) return null;
  return (
    <section className={styles['shelf']}>
      <h2>{t.othersPlay}</h2>
      <Chips>
        {others.map(({ id, username, title, view }) => (
          <li key={id}>
            <Link to={view}>{t.playedBy(username, title)}</Link>
          </li>
        ))}
      </Chips>
    </section>
  );
};

/** Parts of the home view below its shelves, which are loaded once those are there. */
export const Below = (): ReactNode => (
  <>
    <OthersPlay />
    <Mixes />
  </>
);
