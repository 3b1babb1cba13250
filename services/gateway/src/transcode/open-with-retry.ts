import { retry } from '@continuo/chassis';
import { Rejection, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import type { FinishedTranscode, GrowingTranscode, Transcodes } from './transcodes.js';

/** Longest wait for a slot before the client is told to retry. Most players take a refusal for the end of the stream, and segments and captions are made quickly. */
const PATIENCE_MS = 20_000;
const AGAIN_MS = 250;

const isBusy = (error: unknown): boolean => error instanceof Rejection && error.code === 'transcode.busy';

/**
 * Opens a transcode; retries while all slots are taken.
 * @param isGone returns true when the client has disconnected
 * @throws Rejection as {@link Transcodes.open}; `transcode.busy` only after a while
 */
export const openWithRetry = (
  transcodes: Pick<Transcodes, 'open'>,
  { source, target }: { readonly source: TranscodeSource; readonly target: TranscodeTarget },
  isGone: () => boolean,
  patienceMs = PATIENCE_MS,
): Promise<FinishedTranscode | GrowingTranscode> => {
  const isTransient = (error: unknown): boolean => isBusy(error) && !isGone();
  return retry(() => transcodes.open(source, target), { pauseMs: () => AGAIN_MS, withinMs: patienceMs, isTransient });
};
