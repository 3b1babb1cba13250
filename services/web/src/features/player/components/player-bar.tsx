import { Link } from '@tanstack/react-router';
import { ListMusic, TextQuote } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import type { Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { perform } from '../../../ui/action.js';
import { ActionButton, IconButton } from '../../../ui/buttons.js';
import { SeekBar, SoundBar } from '../../../ui/sound-bar.js';
import { SongHeart } from '../../marks/index.js';
import { useElsewhere, useIsSlow, usePlayback, usePlayer } from '../hooks.js';
import { playbackActions, positionNowS, seekTo } from '../actions.js';
import { player, sharedQueue } from '../instance.js';
import { SoundButton } from './sound-button.js';
import styles from './player-bar.module.css';

const LARGE_PX = 26;
const SECOND_MS = 1000;

const Position = (): ReactNode => {
  const { durationS } = usePlayback();
  const { current } = usePlayer().queue;
  const plays = useElsewhere()?.plays === true;
  const [, setNowMs] = useState(0);
  // Another device tells its position now and then.
  useEffect(() => {
    if (!plays) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [plays]);
  return <SeekBar positionS={positionNowS()} durationS={durationS > 0 ? durationS : (current?.time ?? 0)} onSeek={seekTo} />;
};

/** Song that another device of the account plays, as a button that moves it here. */
const Elsewhere = (): ReactNode => {
  const elsewhere = useElsewhere();
  if (!elsewhere) return null;
  return (
    <button type="button" className={styles['elsewhere']} onClick={() => void perform(() => sharedQueue.moveHere())}>
      {t.playHere(elsewhere.deviceName)}
    </button>
  );
};

const Names = ({ song }: { readonly song: Song }): ReactNode => {
  const { failed, isAway } = usePlayer();
  const isSlow = useIsSlow();
  return (
    <>
      <Link to={viewOf('albums', song.album.id)}>{song.title}</Link>
      <Link to={viewOf('artists', song.artist.id)}>{song.artist.name}</Link>
      <Elsewhere />
      {failed && <span role="alert">{t.cannotPlay(failed.title)}</span>}
      {isSlow && !isAway && <span role="status">{t.loading}</span>}
      {isAway && <span role="status">{t.playsAgainSoon}</span>}
    </>
  );
};

/** Name of a panel beside the view. */
export type Panel = 'queue' | 'lyrics';

const PANELS = { lyrics: TextQuote, queue: ListMusic } as const;

/** The bar while songs are heard. */
export const PlayerBar = ({
  panel,
  onPanel,
}: {
  readonly panel: Panel | undefined;
  readonly onPanel: (panel: Panel | undefined) => void;
}): ReactNode => {
  const { queue, volume } = usePlayer();
  usePlayback();
  useElsewhere();
  const { current } = queue;
  const { shuffle, previous, toggle, next, repeat } = playbackActions();
  return (
    <SoundBar
      art={current?.has_art ? current.art : undefined}
      names={current && <Names song={current} />}
      mark={current && <SongHeart song={current} />}
      buttons={[shuffle, previous, toggle, next, repeat].map((action) => (
        <ActionButton key={action.key} action={action} size={action === toggle ? LARGE_PX : undefined} />
      ))}
      position={<Position />}
      tools={
        <>
          <SoundButton />
          {(['lyrics', 'queue'] as const).map((name) => (
            <IconButton
              key={name}
              icon={PANELS[name]}
              label={t[name]}
              isOn={panel === name}
              size={20}
              onPress={() => onPanel(panel === name ? undefined : name)}
            />
          ))}
        </>
      }
      volume={volume}
      onVolume={(wanted) => player.setVolume(wanted)}
    />
  );
};
