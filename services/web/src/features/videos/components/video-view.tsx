import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { heardPosition } from '../../../lib/heard-positions.js';
import { t } from '../../../messages/index.js';
import { SeekBar } from '../../../ui/sound-bar.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { Heart, Stars } from '../../marks/index.js';
import { nextForm, videoAddress, type VideoForm } from '../form.js';
import { useWatching } from '../hooks.js';
import { videoQuery, type Video } from '../queries.js';
import { CaptionChoice, CaptionFailure, CaptionTrack } from './captions.js';
import styles from './videos.module.css';

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
