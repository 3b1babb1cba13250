import { useEffect, type RefObject } from 'react';
import { api, content } from '../../lib/api.js';
import { keepHeardPosition } from '../../lib/heard-positions.js';
import { announceFailure } from '../../ui/announcements.js';
import { player } from '../player/index.js';
import { programmes } from '../programmes/index.js';
import type { Video } from './queries.js';

/** A position is kept so often while it moves, ms. */
const KEPT_EVERY_MS = 15_000;

const report = (id: string, state: 'play' | 'stop', playedS: number): void => {
  const body = { state, time: String(Math.floor(playedS)) };
  content(api.POST('/videos/{video_id}/playback', { params: { path: { video_id: id } }, body, keepalive: true })).catch(announceFailure);
};

/** While a video is seen nothing else sounds; the server is told of it, and keeps where it is. @param startS where its address begins, s */
export const useWatching = (element: RefObject<HTMLVideoElement | null>, { id, time: durationS }: Video, startS: RefObject<number>): void =>
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
      if (!isReported) report(id, 'play', position());
      isReported = true;
    };
    const moved = (): void => void (!video.paused && Date.now() - keptAtMs > KEPT_EVERY_MS && keep());
    const handlers = { playing: began, pause: keep, ended: keep, timeupdate: moved } as const;
    for (const [event, handler] of Object.entries(handlers)) video.addEventListener(event, handler);
    addEventListener('pagehide', keep);
    const unsubscribe = player.engine.subscribe(() => player.engine.playback().state === 'playing' && video.pause());
    return () => {
      for (const [event, handler] of Object.entries(handlers)) video.removeEventListener(event, handler);
      removeEventListener('pagehide', keep);
      unsubscribe();
      if (!isReported) return;
      keep();
      report(id, 'stop', 0);
    };
  }, [element, id, durationS, startS]);
