interface Beat {
  readonly timer: NodeJS.Timeout;
  readonly works: Set<() => void>;
}

const beats = new Map<number, Beat>();

/**
 * Runs `work` every so many milliseconds, like `setInterval`, but all work of one interval runs at the same moments: an idle process wakes up once for all of it. Does not keep the
 * process alive. `work` must not throw.
 * @returns ends it
 */
export const every = (intervalMs: number, work: () => void): (() => void) => {
  const beat = beats.get(intervalMs) ?? begin(intervalMs);
  // One entry for each call, also of the same function.
  const own = (): void => work();
  beat.works.add(own);
  return () => {
    beat.works.delete(own);
    if (beat.works.size > 0 || beats.get(intervalMs) !== beat) return;
    clearInterval(beat.timer);
    beats.delete(intervalMs);
  };
};

const begin = (intervalMs: number): Beat => {
  const works = new Set<() => void>();
  const timer = setInterval(() => {
    for (const work of works) work();
  }, intervalMs);
  timer.unref();
  const beat = { timer, works };
  beats.set(intervalMs, beat);
  return beat;
};
