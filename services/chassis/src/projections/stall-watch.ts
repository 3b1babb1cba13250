/** How often a quiet reader is compared with its stream. */
const CHECK_MS = 2000;

/** What the watch looks at. */
export interface WatchedReader {
  /** Position of the last event that arrived. */
  arrived(): number;
  /** True while events are being worked on: a reader that is not asked for more is not stalled. */
  isWorking(): boolean;
  /** Last position of the stream at the moment. */
  lastPosition(): Promise<number>;
  /** Called when events are there, none arrive, and nobody is working on any. */
  onStall(): void;
}

/**
 * Notices a consumer that has gone quiet although its stream has more: the client's own recovery takes tens of seconds in unlucky moments, and
 * all readers of their own writes would wait that long.
 * @returns ends the watch
 */
export const watchForStall = (reader: WatchedReader, checkMs = CHECK_MS): (() => void) => {
  let before = -1;
  let isChecking = false;
  const check = async (): Promise<void> => {
    const arrived = reader.arrived();
    const isQuiet = arrived === before && !reader.isWorking();
    before = arrived;
    if (isQuiet && (await reader.lastPosition()) > arrived && reader.arrived() === arrived && !reader.isWorking()) reader.onStall();
  };
  const checkOnce = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    // A server that does not answer is the connection's business; the next check comes soon.
    await Promise.allSettled([check()]);
    isChecking = false;
  };
  const timer = setInterval(() => void checkOnce(), checkMs);
  return () => clearInterval(timer);
};
