import type { Playback } from './track.js';

/** Tells the server that a song plays since some seconds, or no longer. */
export type SendPlayback = (songId: string, state: 'play' | 'stop', playedS: number) => Promise<void>;

/** A failed report is sent again after so long, ms. */
const AGAIN_AFTER_MS = 10_000;
/** A position that is so far from where the sound should be was gone to, ms. */
const MOVED_MS = 5000;
/** A silence that lasts so long is a pause, and not the way to another song, ms. */
const PAUSED_AFTER_MS = 1000;
/** The server takes a song for the same play until nearly its end; later it would count again. */
const SAME_PART = 0.9;

/**
 * Tells the server what is heard: it counts the play when the sound begins, and shows others what plays. Fetching counts nothing, because the next song is fetched ahead.
 */
export class PlayReport {
  /** Song that the server shows as playing. */
  #shown: { readonly id: string; readonly startMs: number } | undefined;
  /** Start of the play that the server has counted. */
  #counted: { readonly id: string; readonly startMs: number } | undefined;
  #notBeforeMs = 0;
  #pausing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: SendPlayback) {}

  /** Takes a change of the playback. */
  follow({ state, trackId: id, positionS, durationS }: Playback): void {
    if (state === 'paused' || state === 'empty') this.#pausing ??= setTimeout(() => this.stop(), PAUSED_AFTER_MS);
    if (state !== 'playing' || id === undefined) return;
    this.#endPause();
    const startMs = Date.now() - positionS * 1000;
    const isShown = this.#shown?.id === id && Math.abs(this.#shown.startMs - startMs) < MOVED_MS;
    if (isShown || Date.now() < this.#notBeforeMs) return;
    const goesOn = this.#shown === undefined && this.#counted?.id === id && positionS > MOVED_MS / 1000;
    this.#shown = { id, startMs };
    // After a long pause the rest of a song is no other play.
    if (goesOn && this.#counted && startMs - this.#counted.startMs > durationS * 1000 * SAME_PART) return;
    this.#counted = { id, startMs };
    this.send(id, 'play', positionS).catch(() => {
      // The server is away: it is told later, with the start that it had.
      this.#shown = undefined;
      this.#notBeforeMs = Date.now() + AGAIN_AFTER_MS;
    });
  }

  /** Nothing is heard any more. */
  stop(): void {
    this.#endPause();
    if (!this.#shown) return;
    const { id } = this.#shown;
    this.#shown = undefined;
    // If the server does not hear of it, it forgets the song when that would have ended.
    this.send(id, 'stop', 0).catch(() => undefined);
  }

  #endPause(): void {
    clearTimeout(this.#pausing);
    this.#pausing = undefined;
  }
}
