/** Points of the curve of a fade. */
const POINTS = 33;
const QUARTER = Math.PI / 2;

/** Gains of a fade whose sum in power stays the same with that of the opposite one. */
const curve = (rises: boolean): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: POINTS }, (_, at) => {
    const part = at / (POINTS - 1);
    return Math.sin((rises ? part : 1 - part) * QUARTER);
  });

/** Fades media elements by the clock of the sound card: timers of a hidden tab are late. */
export class Fader {
  #context: AudioContext | undefined;
  readonly #gains = new Map<HTMLMediaElement, GainNode>();

  /** True in browsers that can do this. In Safari elements that sound through a graph lose their rate and stop with the screen locked. */
  static isSupported(): boolean {
    return typeof AudioContext !== 'undefined' && !navigator.vendor.startsWith('Apple');
  }

  /** Takes the sound of elements of this origin through gains from now on; they are heard as before. */
  attach(elements: readonly HTMLMediaElement[]): void {
    this.#context ??= new AudioContext({ latencyHint: 'playback' });
    for (const element of elements) {
      if (this.#gains.has(element)) continue;
      const gain = this.#context.createGain();
      this.#context.createMediaElementSource(element).connect(gain).connect(this.#context.destination);
      this.#gains.set(element, gain);
    }
    this.resume();
  }

  /** Lets the sound through after a click, before which browsers hold it back. */
  resume(): void {
    if (this.#context?.state === 'suspended') void this.#context.resume();
  }

  /** Fades an element in or out from now on, within so many seconds. */
  fade(element: HTMLMediaElement, rises: boolean, seconds: number): void {
    const context = this.#context;
    this.#gains.get(element)?.gain.setValueCurveAtTime(curve(rises), context?.currentTime ?? 0, seconds);
  }

  /** Ends the fades: all are heard in full. */
  reset(): void {
    for (const { gain } of this.#gains.values()) {
      gain.cancelScheduledValues(0);
      gain.value = 1;
    }
  }
}
