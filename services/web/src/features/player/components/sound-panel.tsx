import { useId, type ReactNode } from 'react';
import type { Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { CROSSFADES_S } from '../crossfade.js';
import { Fader } from '../fader.js';
import { QUALITIES, type Form, type Quality } from '../form.js';
import { usePlayer } from '../hooks.js';
import { player } from '../instance.js';
import { SLEEP_MINUTES } from '../sleep-timer.js';
import styles from './sound-panel.module.css';

const BPS_PER_KBPS = 1000;
const HZ_PER_KHZ = 1000;

const REASONS: Readonly<Record<Form['reason'], string>> = {
  original: t.becauseOriginal,
  account: t.becauseAccount,
  small: t.becauseSmall,
  chosen: t.becauseChosen,
  browser: t.becauseBrowser,
  kept: t.becauseKept,
};

const kbpsOf = (bitsPerSecond: number): string => t.kbps(Math.round(bitsPerSecond / BPS_PER_KBPS));

const heard = (song: Song, { format, kbps, reason }: Form): string => {
  if (format !== undefined) return [format.toUpperCase(), ...(kbps === undefined ? [] : [t.kbps(kbps)])].join(' · ');
  return reason === 'account' ? `${song.stream_format.toUpperCase()} · ${kbpsOf(song.stream_bitrate)}` : t.theFile;
};

const qualityName = (quality: Quality): string => {
  if (quality === 'original') return t.qualityOriginal;
  const [format = '', kbps = ''] = quality.split('-');
  return `${format === 'opus' ? 'Opus' : 'MP3'} ${t.kbps(Number(kbps))}`;
};

const decibels = (factor: number): string => t.decibels(20 * Math.log10(factor));

const Facts = ({ song }: { readonly song: Song }): ReactNode => {
  const form = player.formOf(song);
  const gain = player.gainOf(song);
  const file = [song.format.toUpperCase(), kbpsOf(song.bitrate), t.kilohertz(song.rate / HZ_PER_KHZ)];
  return (
    <dl className={styles['facts']}>
      <dt>{t.file}</dt>
      <dd>{file.join(' · ')}</dd>
      <dt>{t.youHear}</dt>
      <dd>
        {heard(song, form)} <span className={styles['dim']}>{REASONS[form.reason]}</span>
      </dd>
      {gain !== 1 && (
        <>
          <dt>{t.loudness}</dt>
          <dd>{decibels(gain)}</dd>
        </>
      )}
    </dl>
  );
};

const SleepTimer = (): ReactNode => {
  const { sleep } = usePlayer();
  const id = useId();
  return (
    <div className={styles['choice']}>
      <label htmlFor={id}>{t.sleepTimer}</label>
      <select
        id={id}
        value={sleep}
        onChange={({ target: { value } }) => player.setSleep(value === 'song' || value === 'off' ? value : Number(value))}
      >
        <option value="off">{t.sleepOff}</option>
        {SLEEP_MINUTES.map((minutes) => (
          <option key={minutes} value={minutes}>
            {t.sleepAfter(minutes)}
          </option>
        ))}
        <option value="song">{t.sleepAfterSong}</option>
      </select>
    </div>
  );
};

const Crossfade = (): ReactNode => {
  const { crossfadeS } = usePlayer();
  const id = useId();
  return (
    <div className={styles['choice']}>
      <label htmlFor={id}>{t.crossfade}</label>
      <select
        id={id}
        value={crossfadeS}
        onChange={({ target }) => player.setCrossfade(CROSSFADES_S.find((known) => String(known) === target.value) ?? 0)}
      >
        {CROSSFADES_S.map((seconds) => (
          <option key={seconds} value={seconds}>
            {seconds === 0 ? t.sleepOff : t.forSeconds(seconds)}
          </option>
        ))}
      </select>
    </div>
  );
};

/** Form of the current song and the reason for it; choice of quality, loudness and sleep timer. */
const SoundPanel = (): ReactNode => {
  const { queue, quality, isEven } = usePlayer();
  const id = useId();
  return (
    <div className={styles['panel']}>
      {queue.current && <Facts song={queue.current} />}
      <div className={styles['choice']}>
        <label htmlFor={id}>{t.quality}</label>
        <select id={id} value={quality} onChange={({ target }) => player.setSound({ quality: target.value as Quality })}>
          {QUALITIES.map((one) => (
            <option key={one} value={one}>
              {qualityName(one)}
            </option>
          ))}
        </select>
      </div>
      <label className={styles['check']}>
        <input type="checkbox" checked={isEven} onChange={({ target }) => player.setSound({ isEven: target.checked })} /> {t.equallyLoud}
      </label>
      {Fader.isSupported() && <Crossfade />}
      <SleepTimer />
    </div>
  );
};

export default SoundPanel;
