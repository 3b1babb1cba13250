import { useQuery } from '@tanstack/react-query';
import { Pause, Play, RotateCcw, RotateCw, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { Art } from '../../../ui/art.js';
import { IconButton } from '../../../ui/icon-button.js';
import { Range } from '../../../ui/range.js';
import { player, takeMediaSession as takeBack, usePlayer } from '../../player/index.js';
import { programmes } from '../instance.js';
import { JUMPS_S, takeMediaSession } from '../media-session.js';
import { SPEEDS, type Programme } from '../programme-player.js';
import { stationTitleQuery } from '../queries.js';
import styles from './programme-bar.module.css';

const ART_PX = 56;

const useProgrammes = () => useSyncExternalStore(programmes.subscribe, programmes.state);

const Position = (): ReactNode => {
  const { positionS, durationS } = useProgrammes();
  const [draggedS, setDraggedS] = useState<number>();
  const shownS = draggedS ?? positionS;
  const seek = (): void => {
    if (draggedS !== undefined) programmes.seek(draggedS);
    setDraggedS(undefined);
  };
  return (
    <div className={styles['position']}>
      <span className={styles['dim']}>{clock(shownS)}</span>
      <Range label={t.position} max={Math.max(1, durationS)} step={1} value={shownS} textOf={clock} onInput={setDraggedS} onCommit={seek} />
      <span className={styles['dim']}>{clock(durationS)}</span>
    </div>
  );
};

const Speed = (): ReactNode => {
  const { speed } = useProgrammes();
  return (
    <select aria-label={t.speed} value={speed} onChange={({ target }) => programmes.setSpeed(Number(target.value))}>
      {SPEEDS.map((one) => (
        <option key={one} value={one}>
          {t.timesSpeed(one)}
        </option>
      ))}
    </select>
  );
};

const Names = ({ programme: { kind, id, title, from } }: { readonly programme: Programme }): ReactNode => {
  const { state } = useProgrammes();
  const isStation = kind === 'live_stream';
  const { data: playing } = useQuery({ ...stationTitleQuery(id), enabled: isStation && state === 'playing' });
  return (
    <span className={styles['names']}>
      <strong>{title}</strong>
      <span className={styles['dim']}>{isStation ? (playing ?? t.onAir) : from}</span>
      {state === 'failed' && <span role="alert">{t.cannotBeHeard}</span>}
      {state === 'loading' && <span role="status">{t.loading}</span>}
    </span>
  );
};

/** The bar in the place of the player's while an episode or a station is heard. */
export const ProgrammeBar = (): ReactNode => {
  const { programme, state } = useProgrammes();
  const { volume } = usePlayer();
  useEffect(() => {
    if (!programme) return undefined;
    takeMediaSession();
    return () => takeBack(player);
  }, [programme]);
  if (!programme) return null;
  const plays = state === 'playing' || state === 'loading';
  const isEpisode = programme.kind === 'podcast_episode';
  const { back, forward } = JUMPS_S;
  return (
    <section className={styles['bar']} aria-label={t.player}>
      <div className={styles['current']}>
        <span className={styles['art']}>
          <Art url={programme.art ?? ''} has={programme.art !== undefined} px={ART_PX} />
        </span>
        <Names programme={programme} />
      </div>
      <div className={styles['middle']}>
        <div className={styles['buttons']}>
          {isEpisode && <IconButton icon={RotateCcw} label={t.backBy(back)} onPress={() => programmes.seekBy(-back)} />}
          <IconButton icon={plays ? Pause : Play} label={plays ? t.pause : t.play} size={26} onPress={() => void programmes.toggle()} />
          {isEpisode && <IconButton icon={RotateCw} label={t.forwardBy(forward)} onPress={() => programmes.seekBy(forward)} />}
        </div>
        {isEpisode && <Position />}
      </div>
      <div className={styles['end']}>
        {isEpisode && <Speed />}
        <div className={styles['volume']}>
          <Range label={t.volume} max={1} step={0.05} value={volume} onInput={(value) => player.setVolume(value)} />
        </div>
        <IconButton icon={X} label={t.backToMusic} onPress={() => programmes.close()} />
      </div>
    </section>
  );
};
