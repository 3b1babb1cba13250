interface Work {
  readonly run: () => unknown;
  readonly intervalMs: number;
  dueAtMs: number;
}

interface Beat {
  readonly timer: NodeJS.Timeout;
  readonly works: Set<Work>;
}

/** Work whose interval is a multiple of this shares one timer, ms. */
const COMMON_MS = 2500;
const beats = new Map<number, Beat>();

/**
 * Runs `work` every so many milliseconds, like `setInterval`, but all work of one interval runs at the same moments, and so does all whose interval is a multiple of two and a half seconds: an idle
 * process wakes up once for all of it. Work that returns a promise is waited for by what comes after it, until the next beat: asked one after another, statements make do with one connection to
 * Postgres. The first interval may be a little shorter or longer. Does not keep the process alive. `work` must neither throw nor reject.
 * @returns ends it
 */
export const every = (intervalMs: number, work: () => unknown): (() => void) => {
  const beatMs = intervalMs % COMMON_MS === 0 ? COMMON_MS : intervalMs;
  const beat = beats.get(beatMs) ?? begin(beatMs);
  // One entry for each call, also of the same function.
  const own = { run: work, intervalMs, dueAtMs: performance.now() + intervalMs };
  beat.works.add(own);
  return () => {
    beat.works.delete(own);
    if (beat.works.size > 0 || beats.get(beatMs) !== beat) return;
    clearInterval(beat.timer);
    beats.delete(beatMs);
  };
};

const begin = (beatMs: number): Beat => {
  const works: Beat['works'] = new Set();
  const due: Work[] = [];
  const runDue = (): void => {
    for (let work = due.shift(); work; work = due.shift()) {
      const done = works.has(work) ? work.run() : undefined;
      if (done instanceof Promise) return void done.finally(runDue);
    }
  };
  const timer = setInterval(() => {
    // Work that begins meanwhile has its first turn at another moment.
    const present = [...works];
    const now = performance.now();
    for (const work of present) {
      // By the clock: a process that stood still does at once what it has missed.
      if (now < work.dueAtMs - beatMs / 2) continue;
      work.dueAtMs = now + work.intervalMs;
      due.push(work);
    }
    runDue();
  }, beatMs);
  timer.unref();
  const beat = { timer, works };
  beats.set(beatMs, beat);
  return beat;
};

/** Waits for a moment at which {@link every} runs work, about `intervalMs` from now; returns early when the signal fires. */
export const nextBeat = (intervalMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      end();
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const end = every(intervalMs, settle);
    signal.addEventListener('abort', settle);
    if (signal.aborted) settle();
  });
