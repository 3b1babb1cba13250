import { Play, Shuffle } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import type { SongSource } from '../../../lib/song-sources.js';
import { player } from '../instance.js';
import styles from './play-buttons.module.css';

/** Plays a list from the beginning, or shuffled. */
export const PlayButtons = ({ source, total }: { readonly source: SongSource; readonly total: number }): ReactNode => (
  <div className={styles['buttons']}>
    <button type="button" className={styles['main']} onClick={() => void player.playSource(source, { total })}>
      <Play size={18} aria-hidden /> {t.play}
    </button>
    <button type="button" className={styles['other']} onClick={() => void player.playSource(source, { total, shuffle: true })}>
      <Shuffle size={18} aria-hidden /> {t.shuffle}
    </button>
  </div>
);
