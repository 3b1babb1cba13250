import { every } from '../every.js';

/** Interval at which a quiet reader is compared with its stream. */
const CHECK_MS = 2500;
/** After so many checks in a row without anything new, unless somebody waits, one is made in half a minute: the client's own signs of life are as quick as that. */
const CALM_CHECKS = 12;
const WHILE_CALM = 12;

/** A reader and its stream, for the watch. */
export interface WatchedReader {
  /** Position of the last event that arrived. */
  arrived(): number;
  /** True while events are being worked on: a reader that is not asked for more is not stalled. */
  isWorking(): boolean;
  /** True while somebody waits for events of the stream. */
  isAwaited(): boolean;
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
  let quietChecks = 0;
  let isAsking = false;
  const ask = async (arrived: number): Promise<void> => {
    if ((await reader.lastPosition()) > arrived && reader.arrived() === arrived && !reader.isWorking()) reader.onStall();
  };
  return every(checkMs, () => {
    const arrived = reader.arrived();
    const isQuiet = arrived === before && !reader.isWorking();
    before = arrived;
    quietChecks = isQuiet ? quietChecks + 1 : 0;
    const isCalm = quietChecks > CALM_CHECKS && quietChecks % WHILE_CALM !== 0 && !reader.isAwaited();
    if (!isQuiet || isCalm || isAsking) return;
    isAsking = true;
    // A server that does not answer is the connection's business; the next check comes soon.
    void Promise.allSettled([ask(arrived)]).then(() => (isAsking = false));
  });
};
