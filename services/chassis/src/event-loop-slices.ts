/** Work that holds the event loop for longer than this lets others go on before it does. */
const SLICE_MS = 4;

const waiting: (() => void)[] = [];
let isUnderWay = false;

const letNextGoOn = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(letNextGoOn);
  else isUnderWay = false;
};

/** Waits until it is this work's turn: of all long work in the process one slice runs per round of the event loop, so that many together hold it no longer than one. */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (isUnderWay) return;
    isUnderWay = true;
    setImmediate(letNextGoOn);
  });

/** The time that a piece of long work may go on without a pause. */
export class Slice {
  #startedMs = performance.now();

  /** True when it is time to let others go on. */
  get isOver(): boolean {
    return performance.now() - this.#startedMs >= SLICE_MS;
  }

  /** Lets others go on, and begins anew after that. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.#startedMs = performance.now();
  }
}
