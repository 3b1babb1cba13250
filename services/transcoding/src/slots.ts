/** A place in which one ffmpeg may run. */
export interface Slot {
  /** Gives it back; a second time does nothing. */
  free(): void;
}

/** The places of one worker: as many as it may run at once. */
export class Slots {
  readonly #total: number;
  readonly #onChange: (used: number) => void;
  #used = 0;

  constructor(total: number, onChange: (used: number) => void = () => undefined) {
    this.#total = total;
    this.#onChange = onChange;
  }

  get total(): number {
    return this.#total;
  }

  get free(): number {
    return this.#total - this.#used;
  }

  /** A place, or undefined when all are taken. */
  take(): Slot | undefined {
    if (this.free <= 0) return undefined;
    this.#change(1);
    let held = true;
    return {
      free: () => {
        if (held) this.#change(-1);
        held = false;
      },
    };
  }

  #change(by: number): void {
    this.#used += by;
    this.#onChange(this.#used);
  }
}
