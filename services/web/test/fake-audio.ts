const ranges = (list: readonly (readonly [number, number])[]): TimeRanges => ({
  length: list.length,
  start: (index) => list[index]?.[0] ?? 0,
  end: (index) => list[index]?.[1] ?? 0,
});

/** A media element without sound: loading, playing and failing is done by the spec. */
export class FakeAudio extends EventTarget {
  paused = true;
  ended = false;
  readyState = 0;
  duration = Number.NaN;
  volume = 1;
  preload = '';
  error: { code: number } | null = null;
  seekable = ranges([]);
  buffered = ranges([]);
  /** True to refuse `play` as browsers do before the first click. */
  refusesSound = false;
  #src: string | undefined;
  #currentTime = 0;

  get src(): string {
    return this.#src ?? '';
  }

  set src(src: string) {
    this.#src = src;
    this.load();
  }

  get currentTime(): number {
    return this.#currentTime;
  }

  set currentTime(seconds: number) {
    this.#currentTime = seconds;
    this.ended = false;
    this.#tell('seeked');
  }

  hasAttribute(name: string): boolean {
    return name === 'src' && this.#src !== undefined;
  }

  removeAttribute(): void {
    this.#src = undefined;
  }

  load(): void {
    Object.assign(this, {
      paused: true,
      ended: false,
      readyState: 0,
      duration: Number.NaN,
      error: null,
      seekable: ranges([]),
      buffered: ranges([]),
    });
    this.#currentTime = 0;
  }

  async play(): Promise<void> {
    if (this.refusesSound) throw new DOMException('no click', 'NotAllowedError');
    this.paused = false;
    this.#tell('play');
  }

  pause(): void {
    if (this.paused) return;
    this.paused = true;
    this.#tell('pause');
  }

  /** The file has come so far that it plays. @param isSeekable false for a stream that is being made */
  arrive(durationS: number, isSeekable = true): void {
    this.readyState = 4;
    this.duration = isSeekable ? durationS : Number.POSITIVE_INFINITY;
    this.seekable = ranges([[0, this.duration]]);
    this.buffered = ranges([[0, durationS]]);
    this.#tell('canplay');
  }

  /** The sound has come to a position, s. */
  reach(positionS: number): void {
    this.#currentTime = positionS;
    this.#tell('timeupdate');
  }

  end(positionS: number): void {
    this.reach(positionS);
    Object.assign(this, { ended: true, paused: true });
    this.#tell('pause');
    this.#tell('ended');
  }

  /** @param code 2: network, 4: not supported */
  fail(code: number): void {
    this.error = { code };
    this.#tell('error');
  }

  #tell(name: string): void {
    this.dispatchEvent(new Event(name));
  }
}

/** Makes elements and keeps them for the spec. */
export const fakeElements = (): { readonly made: FakeAudio[]; readonly newElement: () => HTMLAudioElement } => {
  const made: FakeAudio[] = [];
  const newElement = (): HTMLAudioElement => {
    const element = new FakeAudio();
    made.push(element);
    return element as unknown as HTMLAudioElement;
  };
  return { made, newElement };
};
