import { useQuery } from '@tanstack/react-query';
import { Pause, Play, RotateCcw, RotateCw, X } from 'lucide-react';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/icon-button.js';
import { SeekBar, SoundBar } from '../../../ui/sound-bar.js';
import { player, takeMediaSession as takeBack, usePlayer } from '../../player/index.js';
import { programmes } from '../instance.js';
import { JUMPS_S, takeMediaSession } from '../media-session.js';
import { SPEEDS, type Programme } from '../programme-player.js';
import { stationTitleQuery } from '../queries.js';

const useProgrammes = () => useSyncExternalStore(programmes.subscribe, programmes.state);

const Position = (): ReactNode => {
  const { positionS, durationS } = useProgrammes();
  return <SeekBar positionS={positionS} durationS={durationS} onSeek={(toS) => programmes.seek(toS)} />;
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
    <>
      <strong>{title}</strong>
      <span>{isStation ? (playing ?? t.onAir) : from}</span>
      {state === 'failed' && <span role="alert">{t.cannotBeHeard}</span>}
      {state === 'loading' && <span role="status">{t.loading}</span>}
    </>
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
    <SoundBar
      art={programme.art}
      names={<Names programme={programme} />}
      buttons={
        <>
          {isEpisode && <IconButton icon={RotateCcw} label={t.backBy(back)} onPress={() => programmes.seekBy(-back)} />}
          <IconButton icon={plays ? Pause : Play} label={plays ? t.pause : t.play} size={26} onPress={() => void programmes.toggle()} />
          {isEpisode && <IconButton icon={RotateCw} label={t.forwardBy(forward)} onPress={() => programmes.seekBy(forward)} />}
        </>
      }
      position={isEpisode && <Position />}
      tools={
        <>
          {isEpisode && <Speed />}
          <IconButton icon={X} label={t.backToMusic} onPress={() => programmes.close()} />
        </>
      }
      volume={volume}
      onVolume={(wanted) => player.setVolume(wanted)}
    />
  );
};
