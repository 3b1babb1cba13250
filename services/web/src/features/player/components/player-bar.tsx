import { Link } from '@tanstack/react-router';
import { ListMusic, TextQuote } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
import { Art } from '../../../ui/art.js';
import { ActionButton, IconButton } from '../../../ui/icon-button.js';
import { Range } from '../../../ui/range.js';
import { useElsewhere, useIsSlow, usePlayback, usePlayer } from '../hooks.js';
import { SongHeart } from '../../marks/index.js';
import { playbackActions, seekTo } from '../actions.js';
import { player, sharedQueue } from '../instance.js';
import { SoundButton } from './sound-button.js';
import styles from './player-bar.module.css';

const ART_PX = 56;
const LARGE_PX = 26;
const SECOND_MS = 1000;

/** Position of the song on the device that is steered from here, s; undefined when the sound is here. */
const useRemotePosition = (): number | undefined => {
  const elsewhere = useElsewhere();
  const [nowMs, setNowMs] = useState(Date.now);
  const plays = elsewhere?.plays === true;
  useEffect(() => {
    if (!plays) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [plays]);
  const remote = sharedQueue.remote();
  return remote && remote.positionS + (plays ? Math.max(0, nowMs - remote.atMs) / SECOND_MS : 0);
};

const Position = (): ReactNode => {
  const { positionS: hereS, durationS } = usePlayback();
  const positionS = useRemotePosition() ?? hereS;
  const { current } = usePlayer().queue;
  // While the thumb is dragged the sound goes on where it is.
  const [draggedS, setDraggedS] = useState<number>();
  const whole = durationS > 0 ? durationS : (current?.time ?? 0);
  const shownS = Math.min(draggedS ?? positionS, whole);
  const seek = (): void => {
    if (draggedS !== undefined) seekTo(draggedS);
    setDraggedS(undefined);
  };
  return (
    <div className={styles['position']}>
      <span className={styles['time']}>{clock(shownS)}</span>
      <Range label={t.position} max={Math.max(1, whole)} step={1} value={shownS} textOf={clock} onInput={setDraggedS} onCommit={seek} />
      <span className={styles['time']}>{clock(whole)}</span>
    </div>
  );
};

const Volume = (): ReactNode => {
  const { volume } = usePlayer();
  return (
    <div className={styles['volume']}>
      <Range label={t.volume} max={1} step={0.05} value={volume} onInput={(value) => player.setVolume(value)} />
    </div>
  );
};

/** Song that another device of the account plays, as a button that moves it here. */
const Elsewhere = (): ReactNode => {
  const elsewhere = useElsewhere();
  if (!elsewhere) return null;
  return (
    <button type="button" className={styles['elsewhere']} onClick={() => void sharedQueue.moveHere().catch(announceFailure)}>
      {t.playHere(elsewhere.deviceName)}
    </button>
  );
};

const Current = (): ReactNode => {
  const { queue, failed, isAway } = usePlayer();
  const isSlow = useIsSlow();
  const { current } = queue;
  if (!current) return <div className={styles['current']} />;
  return (
    <div className={styles['current']}>
      <span className={styles['art']}>
        <Art url={current.art} has={current.has_art} px={ART_PX} />
      </span>
      <span className={styles['names']}>
        <Link to="/albums/$id" params={{ id: current.album.id }} className={styles['title'] ?? ''}>
          {current.title}
        </Link>
        <Link to="/artists/$id" params={{ id: current.artist.id }} className={styles['dim'] ?? ''}>
          {current.artist.name}
        </Link>
        <Elsewhere />
        {failed && <span role="alert">{t.cannotPlay(failed.title)}</span>}
        {isSlow && !isAway && <span role="status">{t.loading}</span>}
        {isAway && <span role="status">{t.playsAgainSoon}</span>}
      </span>
      <SongHeart song={current} />
    </div>
  );
};

/** Name of a panel beside the view. */
export type Panel = 'queue' | 'lyrics';

/** The bar at the bottom: what plays, and what steers it. */
export const PlayerBar = ({
  panel,
  onPanel,
}: {
  readonly panel: Panel | undefined;
  readonly onPanel: (panel: Panel | undefined) => void;
}): ReactNode => {
  usePlayer();
  usePlayback();
  useElsewhere();
  const { shuffle, previous, toggle, next, repeat } = playbackActions();
  return (
    <section className={styles['bar']} aria-label={t.player}>
      <Current />
      {/* Time runs from left to right in every language, and so do the signs of players. */}
      <div className={styles['middle']} dir="ltr">
        <div className={styles['buttons']}>
          {[shuffle, previous, toggle, next, repeat].map((action) => (
            <ActionButton key={action.key} action={action} size={action === toggle ? LARGE_PX : undefined} />
          ))}
        </div>
        <Position />
      </div>
      <div className={styles['end']}>
        <SoundButton />
        <IconButton
          icon={TextQuote}
          label={t.lyrics}
          isOn={panel === 'lyrics'}
          onPress={() => onPanel(panel === 'lyrics' ? undefined : 'lyrics')}
        />
        <IconButton
          icon={ListMusic}
          label={t.queue}
          isOn={panel === 'queue'}
          onPress={() => onPanel(panel === 'queue' ? undefined : 'queue')}
        />
        <Volume />
      </div>
    </section>
  );
};
