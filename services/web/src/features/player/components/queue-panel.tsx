import { useQuery } from '@tanstack/react-query';
import { Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/icon-button.js';
import { songsOf } from '../../../lib/song-sources.js';
import { usePlayer } from '../hooks.js';
import { player } from '../instance.js';
import { positionOf, type Context } from '../queue.js';
import styles from './queue-panel.module.css';

const SHOWN = 20;

const upcoming = async (context: Context): Promise<readonly Song[]> => {
  const count = Math.min(SHOWN, context.total - context.index - 1);
  if (count <= 0) return [];
  if (context.seed === undefined) return (await songsOf(context.source, context.index + 1, count)).items;
  const places = Array.from({ length: count }, (_, at) => positionOf(context, context.index + 1 + at));
  return (await Promise.all(places.map((place) => songsOf(context.source, place, 1)))).flatMap(({ items }) => items);
};

const Names = ({ song }: { readonly song: Song }): ReactNode => (
  <span className={styles['names']}>
    <span>{song.title}</span>
    <span className={styles['dim']}>{song.artist.name}</span>
  </span>
);

/** What comes next: the songs that somebody chose, then those of the list. */
export const QueuePanel = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const { queue } = usePlayer();
  const { context, upNext } = queue;
  const { data: rest = [] } = useQuery({
    queryKey: ['upcoming', context],
    queryFn: () => (context ? upcoming(context) : []),
    enabled: context !== undefined,
  });
  return (
    <aside className={styles['panel']} aria-label={t.queue}>
      <header className={styles['head']}>
        <h2>{t.queue}</h2>
        <IconButton icon={X} label={t.closeQueue} onPress={onClose} />
      </header>
      {upNext.length === 0 && rest.length === 0 && <p className={styles['dim']}>{t.queueEmpty}</p>}
      {upNext.length > 0 && (
        <>
          <header className={styles['head']}>
            <h3>{t.upNext}</h3>
            <IconButton icon={Trash2} label={t.clear} size={16} onPress={() => player.clear()} />
          </header>
          <ol className={styles['list']}>
            {upNext.map(({ key, song }) => (
              <li key={key}>
                <Names song={song} />
                <IconButton icon={X} label={t.remove(song.title)} size={16} onPress={() => player.dequeue(key)} />
              </li>
            ))}
          </ol>
        </>
      )}
      {rest.length > 0 && <h3>{t.upFrom}</h3>}
      <ol className={styles['list']}>
        {rest.map((song, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- one song may stand here more than once
          <li key={`${song.id} ${at}`}>
            <Names song={song} />
          </li>
        ))}
      </ol>
    </aside>
  );
};
