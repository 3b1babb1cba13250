import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { SidePanel } from '../../../ui/side-panel.js';
import { Failure } from '../../../ui/states.js';
import { player, usePlayer } from '../../player/index.js';
import { isTimed, lineAt, type LyricsLine } from '../lrc.js';
import { lyricsOf } from '../queries.js';
import styles from './lyrics-panel.module.css';

/** Browsers tell the position some times a second: a line is shown so much ahead, s. */
const AHEAD_S = 0.2;
/** Somebody who scrolls reads for so long, ms. */
const READING_MS = 4000;

/** Words with times: the line that is sung stands out and stays in view, and each leads to its place in the song. */
const TimedLines = ({ lines }: { readonly lines: readonly LyricsLine[] }): ReactNode => {
  const sung = useSyncExternalStore(player.engine.subscribe, () => lineAt(lines, player.engine.playback().positionS + AHEAD_S));
  const list = useRef<HTMLOListElement>(null);
  const scrolledAtMs = useRef(0);
  useEffect(() => {
    if (Date.now() - scrolledAtMs.current < READING_MS) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    list.current?.children[sung]?.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' });
  }, [sung]);
  const read = (): void => {
    scrolledAtMs.current = Date.now();
  };
  return (
    <ol ref={list} className={styles['lines']} onWheel={read} onTouchMove={read}>
      {lines.map(({ text, startS = 0 }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines never move, and may be the same
        <li key={at}>
          <button type="button" className={styles['line']} aria-current={at === sung} onClick={() => player.engine.seek(startS)}>
            {text || '♪'}
          </button>
        </li>
      ))}
    </ol>
  );
};

const Lyrics = ({ songId }: { readonly songId: string }): ReactNode => {
  const { data: lines, error, refetch } = useQuery(lyricsOf(songId));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!lines) return <p className={styles['dim']}>{t.loading}</p>;
  if (lines.length === 0) return <p className={styles['dim']}>{t.noLyrics}</p>;
  if (isTimed(lines)) return <TimedLines key={songId} lines={lines} />;
  return <p className={styles['plain']}>{lines.map(({ text }) => text).join('\n')}</p>;
};

/** The words of the song that plays. */
export const LyricsPanel = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const { current } = usePlayer().queue;
  return (
    <SidePanel title={t.lyrics} onClose={onClose}>
      {current ? <Lyrics songId={current.id} /> : <p className={styles['dim']}>{t.noLyrics}</p>}
    </SidePanel>
  );
};
