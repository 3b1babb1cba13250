import { setTimeout as sleep } from 'node:timers/promises';
import { Rejection, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import type { FinishedTranscode, GrowingTranscode, Transcodes } from './transcodes.js';

/** How long a player waits for a place before it is told to come again. Most take a refusal for the end of the stream, and segments and captions are made quickly. */
const PATIENCE_MS = 20_000;
const AGAIN_MS = 250;

const isBusy = (error: unknown): boolean => error instanceof Rejection && error.code === 'transcode.busy';

/**
 * Opens a transcode, and waits while every place is taken.
 * @param isGone tells whether the one who asked has left
 * @throws Rejection as {@link Transcodes.open}; `transcode.busy` only after a while
 */
export const openPatiently = async (
  transcodes: Pick<Transcodes, 'open'>,
  { source, target }: { readonly source: TranscodeSource; readonly target: TranscodeTarget },
  isGone: () => boolean,
  patienceMs = PATIENCE_MS,
): Promise<FinishedTranscode | GrowingTranscode> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await transcodes.open(source, target);
    } catch (error) {
      if (!isBusy(error) || isGone() || performance.now() + AGAIN_MS > deadline) throw error;
    }
    await sleep(AGAIN_MS);
  }
};
