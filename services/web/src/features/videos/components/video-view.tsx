import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { heardPosition, keepHeardPosition, reportPlayback } from '../../../lib/heard-positions.js';
import { announceFailure } from '../../../ui/action.js';
import { t } from '../../../messages/index.js';
import { SeekBar } from '../../../ui/sound-bar.js';
import { Failure, Notice, View } from '../../../ui/view.js';
import { player } from '../../player/index.js';
import { programmes } from '../../programmes/index.js';
import { Heart, Stars } from '../../marks/index.js';
import { videoQuery, type Video } from '../queries.js';
import { nextForm, videoAddress, type VideoForm } from '../form.js';
import { CaptionChoice, CaptionFailure, CaptionTrack } from './captions.js';
import styles from './videos.module.css';

/** A position is kept so often while it moves, ms. */
const KEPT_EVERY_MS = 15_000;

/** While a video is seen nothing else sounds; the server is told of it, and keeps where it is. @param startS where its address begins, s */
const useWatching = (element: RefObject<HTMLVideoElement | null>, { id, time: durationS }: Video, startS: RefObject<number>): void =>
  useEffect(() => {
    const video = element.current;
    if (!video) return undefined;
    const position = (): number => startS.current + video.currentTime;
    let isReported = false;
    let keptAtMs = Date.now();
    const keep = (): void => {
      keptAtMs = Date.now();
      if (position() > 0) keepHeardPosition('video', id, { positionS: position(), durationS }).catch(announceFailure);
    };
    const began = (): void => {
      player.engine.pause();
      programmes.close();
      if (!isReported) reportPlayback('video', id, 'play', position()).catch(announceFailure);
      isReported = true;
    };
    const moved = (): void => void (!video.paused && Date.now() - keptAtMs > KEPT_EVERY_MS && keep());
    const end = new AbortController();
    for (const [event, handler] of Object.entries({ playing: began, pause: keep, ended: keep, timeupdate: moved }))
      video.addEventListener(event, handler, { signal: end.signal });
    addEventListener('pagehide', keep, { signal: end.signal });
    const unsubscribe = player.engine.subscribe(() => player.engine.playback().state === 'playing' && video.pause());
    return () => {
      end.abort();
      unsubscribe();
      if (!isReported) return;
      keep();
      reportPlayback('video', id, 'stop', 0).catch(announceFailure);
    };
  }, [element, id, durationS, startS]);

const canPlay = (type: string): boolean => document.createElement('video').canPlayType(type) !== '';

const Watch = ({ video, leftAtS }: { readonly video: Video; readonly leftAtS: number }): ReactNode => {
  const element = useRef<HTMLVideoElement>(null);
  // A fresh address would load the video anew.
  const [url] = useState(video.url);
  const [form, setForm] = useState<VideoForm | undefined>(() => nextForm(video.mime, canPlay));
  /** Where the address begins, s. */
  const [fromS, setFromS] = useState(leftAtS);
  const [atS, setAtS] = useState(leftAtS);
  const isMade = form !== undefined && form !== 'file';
  const [caption, setCaption] = useState('');
  const startS = useRef(0);
  startS.current = isMade ? fromS : 0;
  useWatching(element, video, startS);
  useEffect(() => {
    if (element.current && form === 'file' && leftAtS > 0) element.current.currentTime = leftAtS;
  }, [form, leftAtS]);
  const choose = (next: string): void => {
    // What is made begins anew with other subtitles: where it is.
    if (isMade) setFromS(atS);
    setCaption(next);
  };
  if (form === undefined) return <Notice>{t.cannotBeHeard}</Notice>;
  return (
    <div className={styles['watch']}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- they are chosen below */}
      <video
        ref={element}
        controls
        playsInline
        autoPlay={fromS !== leftAtS}
        aria-label={video.title}
        src={videoAddress(url, form, fromS, caption)}
        onTimeUpdate={({ currentTarget }) => setAtS(startS.current + currentTarget.currentTime)}
        onError={() => setForm(nextForm(video.mime, canPlay, form))}
      >
        {caption !== '' && !isMade && <CaptionTrack id={video.id} caption={caption} />}
      </video>
      {caption !== '' && !isMade && <CaptionFailure id={video.id} caption={caption} />}
      {/* Browsers cannot seek in what is being made. */}
      {isMade && <SeekBar positionS={atS} durationS={video.time} onSeek={setFromS} />}
      <CaptionChoice id={video.id} chosen={caption} onChoose={choose} />
      {isMade && <p>{t.madeForBrowser}</p>}
    </div>
  );
};

/** A video, to be seen. */
export const VideoView = ({ id }: { readonly id: string }): ReactNode => {
  const { data: video, error, refetch } = useQuery({ ...videoQuery(id), refetchOnWindowFocus: false });
  const { data: leftAtS, error: positionError } = useQuery({
    // Not with the positions of lists: an event would send the video back to where it was kept last.
    queryKey: ['video-start', id],
    queryFn: () => heardPosition('video', id),
    staleTime: Infinity,
    gcTime: 0,
  });
  const failure = error ?? positionError;
  if (failure) return <Failure error={failure} onRetry={() => void refetch()} />;
  if (!video || leftAtS === undefined) return <Notice>{t.loading}</Notice>;
  return (
    <View
      title={video.title}
      tools={
        <span>
          <Heart kind="video" object={video} name={video.title} />
          <Stars kind="video" object={video} name={video.title} />
        </span>
      }
    >
      <Watch key={id} video={video} leftAtS={leftAtS} />
    </View>
  );
};
