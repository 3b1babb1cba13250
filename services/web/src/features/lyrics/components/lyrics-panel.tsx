import { queryOptions, useQuery } from '@tanstack/react-query';
import { Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Choice } from '../../../ui/fields.js';
import { IconButton } from '../../../ui/buttons.js';
import { SidePanel } from '../../../ui/side-panel.js';
import { Failure } from '../../../ui/view.js';
import { player, usePlayer } from '../../player/index.js';
import { isTimed, lineAt, readLyrics, type LyricsLine, type SungWords } from '../lrc.js';
import { keepSettings, settingsOf, type LyricsSettings } from '../settings.js';
import styles from './lyrics-panel.module.css';

/** One text of a song. */
export interface Lyrics {
  readonly source: string;
  /** Code of ISO 639; `xxx` when it is not told. */
  readonly language: string;
  readonly lines: readonly LyricsLine[];
}

/** 2 for times of words, 1 for times of lines, 0 for none. */
const exactness = ({ lines }: Lyrics): number => (lines.some(({ words }) => words) ? 2 : isTimed(lines) ? 1 : 0);

/** Lyrics of a song that the server knows, those with the most exact times first. */
const lyricsOf = (songId: string) =>
  queryOptions({
    queryKey: ['song', songId, 'lyrics'],
    queryFn: async (): Promise<readonly Lyrics[]> => {
      const params = { path: { song_id: songId }, query: { texts: 1 as const } };
      const { lyrics = [] } = await content(api.GET('/songs/{song_id}/lyrics', { params }));
      const texts = lyrics.map(({ source, language, text }) => ({ source, language, lines: readLyrics(text) }));
      return texts.filter(({ lines }) => lines.length > 0).toSorted((one, other) => exactness(other) - exactness(one));
    },
  });

/** Browsers tell the position some times a second: a line is shown so much ahead, s. */
const AHEAD_S = 0.2;
/** Somebody who scrolls reads for so long, ms. */
const READING_MS = 4000;
const SHIFT_STEP_S = 0.25;
const SMALL_PX = 16;

/** The words of the line that is sung: those that were sung stand out. */
const Words = ({ words, shiftS }: { readonly words: readonly SungWords[]; readonly shiftS: number }): ReactNode => {
  const [last, setLast] = useState(-1);
  useEffect(() => {
    let frame = 0;
    const follow = (): void => {
      setLast(lineAt(words, player.engine.positionS() - shiftS));
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [words, shiftS]);
  return words.map(({ text }, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- words never move, and may be the same
    <span key={at} data-sung={at <= last || undefined}>
      {text}
    </span>
  ));
};

/** Words with times: the line that is sung stands out and stays in view, and each leads to its place in the song. */
const TimedLines = ({ lines, shiftS }: { readonly lines: readonly LyricsLine[]; readonly shiftS: number }): ReactNode => {
  const sung = useSyncExternalStore(player.engine.subscribe, () => lineAt(lines, player.engine.playback().positionS + AHEAD_S - shiftS));
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
      {lines.map(({ text, startS = 0, words }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines never move, and may be the same
        <li key={at}>
          <button
            type="button"
            className={styles['line']}
            aria-current={at === sung}
            onClick={() => player.engine.seek(Math.max(0, startS + shiftS))}
          >
            {words && at === sung ? <Words words={words} shiftS={shiftS} /> : text || '♪'}
          </button>
        </li>
      ))}
    </ol>
  );
};

/** Names of texts: their languages, with source or number where that is not enough. */
const namesOf = (texts: readonly Lyrics[]): readonly string[] => {
  const languages = new Intl.DisplayNames(document.documentElement.lang, { type: 'language' });
  const names = texts.map(({ language, source }) => {
    const name = language === 'xxx' ? t.lyrics : (languages.of(language) ?? language);
    return source === 'database' ? name : `${name} (${source})`;
  });
  return names.map((name, at) => (names.indexOf(name) === at ? name : `${name} ${at + 1}`));
};

const Shift = ({ shiftS, onShift }: { readonly shiftS: number; readonly onShift: (shiftS: number) => void }): ReactNode => (
  <span className={styles['shift']} role="group" aria-label={t.lyricsShift}>
    <IconButton icon={Minus} label={t.lyricsEarlier} size={SMALL_PX} onPress={() => onShift(shiftS - SHIFT_STEP_S)} />
    <output>{t.shiftedBy(shiftS)}</output>
    <IconButton icon={Plus} label={t.lyricsLater} size={SMALL_PX} onPress={() => onShift(shiftS + SHIFT_STEP_S)} />
  </span>
);

const Texts = ({ songId, texts }: { readonly songId: string; readonly texts: readonly Lyrics[] }): ReactNode => {
  const [settings, setSettings] = useState(() => settingsOf(localStorage, songId));
  const { shiftS, text } = settings;
  const change = (changed: Partial<LyricsSettings>): void => {
    const next = { ...settings, ...changed };
    setSettings(next);
    keepSettings(localStorage, songId, next);
  };
  const names = namesOf(texts);
  const chosen = Math.max(0, text === undefined ? 0 : names.indexOf(text));
  const lines = texts[chosen]?.lines ?? [];
  return (
    <>
      <p className={styles['tools']}>
        {texts.length > 1 && (
          <Choice
            label={t.lyricsText}
            options={names.map((name) => [name, name])}
            chosen={names[chosen] ?? ''}
            onChoose={(name) => change({ text: name })}
          />
        )}
        {isTimed(lines) && <Shift shiftS={shiftS} onShift={(next) => change({ shiftS: next })} />}
      </p>
      {isTimed(lines) ? (
        <TimedLines key={chosen} lines={lines} shiftS={shiftS} />
      ) : (
        <p className={styles['plain']}>{lines.map((line) => line.text).join('\n')}</p>
      )}
    </>
  );
};

const SongLyrics = ({ songId }: { readonly songId: string }): ReactNode => {
  const { data: texts, error, refetch } = useQuery(lyricsOf(songId));
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!texts)
    return (
      <p>
        <small>{t.loading}</small>
      </p>
    );
  if (texts.length === 0)
    return (
      <p>
        <small>{t.noLyrics}</small>
      </p>
    );
  return <Texts key={songId} songId={songId} texts={texts} />;
};

/** The words of the song that plays. */
export const LyricsPanel = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const { current } = usePlayer().queue;
  return (
    <SidePanel title={t.lyrics} onClose={onClose}>
      {current ? (
        <SongLyrics songId={current.id} />
      ) : (
        <p>
          <small>{t.noLyrics}</small>
        </p>
      )}
    </SidePanel>
  );
};
