import { useQuery } from '@tanstack/react-query';
import { Pause, Play, RotateCcw, RotateCw, X } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { setMediaHandlers } from '../../../lib/media-session.js';
import { t } from '../../../messages/index.js';
import { Choice } from '../../../ui/fields.js';
import { IconButton } from '../../../ui/buttons.js';
import { SeekBar, SoundBar } from '../../../ui/sound-bar.js';
import { player, takeMediaSession as takeBack, usePlayer } from '../../player/index.js';
import { programmes, useProgrammes } from '../instance.js';
import { SPEEDS, type Programme } from '../programme-player.js';

/** A title changes every few minutes, no event tells of it, and the server asks a station at most every 15 s, ms. */
const ASKED_EVERY_MS = 30_000;

/** Title that a station plays now; null where it tells none. Asked only while it is heard. */
const stationTitleQuery = (id: string) => ({
  queryKey: ['station-title', id],
  queryFn: async (): Promise<string | null> => {
    const params = { path: { live_stream_id: id }, query: { include: 'now_playing' } };
    return (await content(api.GET('/live-streams/{live_stream_id}', { params }))).now_playing ?? null;
  },
  refetchInterval: ASKED_EVERY_MS,
});

/** Seconds of the jumps back and forward. */
const JUMPS_S = { back: 15, forward: 30 } as const;

/** Lets media keys and lock screens steer the programme and show what it is. */
export const takeMediaSession = (): void => {
  const { programme } = programmes.state();
  if (!('mediaSession' in navigator) || !programme) return;
  setMediaHandlers({
    play: () => void programmes.toggle(),
    pause: () => programmes.pause(),
    stop: () => programmes.pause(),
    nexttrack: null,
    previoustrack: null,
    seekbackward: () => programmes.seekBy(-JUMPS_S.back),
    seekforward: () => programmes.seekBy(JUMPS_S.forward),
    seekto: ({ seekTime }) => seekTime !== undefined && programmes.seek(seekTime),
  });
  const { title, from, art } = programme;
  navigator.mediaSession.metadata = new MediaMetadata({ title, artist: from, artwork: art === undefined ? [] : [{ src: art }] });
};

const Position = (): ReactNode => {
  const { positionS, durationS } = useProgrammes();
  return <SeekBar positionS={positionS} durationS={durationS} onSeek={(toS) => programmes.seek(toS)} />;
};

const Speed = (): ReactNode => {
  const { speed } = useProgrammes();
  return (
    <Choice
      label={t.speed}
      options={SPEEDS.map((one) => [one, t.timesSpeed(one)])}
      chosen={speed}
      onChoose={(chosen) => programmes.setSpeed(chosen)}
    />
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
          {isEpisode && <IconButton icon={RotateCcw} label={t.backBy(back)} size={20} onPress={() => programmes.seekBy(-back)} />}
          <IconButton icon={plays ? Pause : Play} label={plays ? t.pause : t.play} size={26} onPress={() => programmes.toggle()} />
          {isEpisode && <IconButton icon={RotateCw} label={t.forwardBy(forward)} size={20} onPress={() => programmes.seekBy(forward)} />}
        </>
      }
      position={isEpisode && <Position />}
      tools={
        <>
          {isEpisode && <Speed />}
          <IconButton icon={X} label={t.backToMusic} size={20} onPress={() => programmes.close()} />
        </>
      }
      volume={volume}
      onVolume={(wanted) => player.setVolume(wanted)}
    />
  );
};
