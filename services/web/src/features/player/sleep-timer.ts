/** Time at which the player stops by itself: never, after the song, or after so many minutes. */
export type Sleep = 'off' | 'song' | number;

/** Minutes that are offered for it. */
export const SLEEP_MINUTES = [15, 30, 45, 60, 90] as const;

const MS_PER_MINUTE = 60_000;

/** Calls back after some minutes. */
export class SleepTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onTime: () => void) {}

  /** Replaces what was set before; only minutes start the clock. */
  set(sleep: Sleep): void {
    clearTimeout(this.#timer);
    if (typeof sleep === 'number') this.#timer = setTimeout(this.onTime, sleep * MS_PER_MINUTE);
  }
}
