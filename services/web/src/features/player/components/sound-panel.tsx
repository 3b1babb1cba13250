import type { ReactNode } from 'react';
import type { Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Check, Choice, type Options } from '../../../ui/fields.js';
import { CROSSFADES_S } from '../crossfade.js';
import { Fader } from '../fader.js';
import { QUALITIES, type Form, type Quality } from '../form.js';
import { usePlayer } from '../hooks.js';
import { player } from '../instance.js';
import type { Sleep } from '../player-store.js';
import styles from './sound-panel.module.css';

const BPS_PER_KBPS = 1000;
const HZ_PER_KHZ = 1000;

const REASONS: Readonly<Record<Form['reason'], string>> = {
  original: t.becauseOriginal,
  account: t.becauseAccount,
  small: t.becauseSmall,
  chosen: t.becauseChosen,
  browser: t.becauseBrowser,
  loudness: t.becauseLoudness,
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
        {heard(song, form)} <small>{REASONS[form.reason]}</small>
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

const QUALITY_NAMES = QUALITIES.map((quality) => [quality, qualityName(quality)] as const);
const CROSSFADES = CROSSFADES_S.map((seconds) => [seconds, seconds === 0 ? t.sleepOff : t.forSeconds(seconds)] as const);
/** Minutes that are offered until the player stops. */
const SLEEP_MINUTES = [15, 30, 45, 60, 90] as const;
const SLEEPS: Options<Sleep> = [
  ['off', t.sleepOff],
  ...SLEEP_MINUTES.map((minutes) => [minutes, t.sleepAfter(minutes)] as const),
  ['song', t.sleepAfterSong],
];

/** Form of the current song and the reason for it; choice of quality, loudness and sleep timer. */
const SoundPanel = (): ReactNode => {
  const { queue, quality, isEven, crossfadeS, sleep } = usePlayer();
  return (
    <div className={styles['panel']}>
      {queue.current && <Facts song={queue.current} />}
      <Choice
        isNamed
        label={t.quality}
        options={QUALITY_NAMES}
        chosen={quality}
        onChoose={(chosen) => player.setSound({ quality: chosen })}
      />
      <Check label={t.equallyLoud} isOn={isEven} onChange={(isOn) => player.setSound({ isEven: isOn })} />
      {Fader.isSupported() && (
        <Choice isNamed label={t.crossfade} options={CROSSFADES} chosen={crossfadeS} onChoose={(chosen) => player.setCrossfade(chosen)} />
      )}
      <Choice isNamed label={t.sleepTimer} options={SLEEPS} chosen={sleep} onChoose={(chosen) => player.setSleep(chosen)} />
    </div>
  );
};

export default SoundPanel;
