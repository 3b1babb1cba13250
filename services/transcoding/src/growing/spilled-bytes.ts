/** Bytes held in memory before the writer has to wait. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Bytes that found no place on the disk: a stretch of a stream, kept until the slowest reader has passed it. */
export class SpilledBytes {
  readonly #startBytes: number;
  readonly #pieces: Buffer[] = [];
  readonly #mostBytes: number;
  /** Position of the first piece that is still here. */
  #firstBytes: number;
  #heldBytes = 0;
  #released = false;
  #roomFreed: () => void = () => undefined;

  /** @param startBytes position of the first byte that is not in the file */
  constructor(startBytes: number, mostBytes = MOST_BYTES) {
    this.#startBytes = startBytes;
    this.#firstBytes = startBytes;
    this.#mostBytes = mostBytes;
  }

  get endBytes(): number {
    return this.#firstBytes + this.#heldBytes;
  }

  /** True once bytes have gone that a new reader would need. */
  get isTrimmed(): boolean {
    return this.#firstBytes > this.#startBytes;
  }

  /** Adds a piece, and waits while there is too much of it. */
  async add(piece: Buffer): Promise<void> {
    this.#pieces.push(piece);
    this.#heldBytes += piece.length;
    while (this.#heldBytes > this.#mostBytes && !this.#released)
      await new Promise<void>((resolve) => {
        this.#roomFreed = resolve;
      });
  }

  /** Bytes from a position on; undefined behind the end. */
  at(position: number): Buffer | undefined {
    let start = this.#firstBytes;
    for (const piece of this.#pieces) {
      if (position < start + piece.length) return piece.subarray(position - start);
      start += piece.length;
    }
    return undefined;
  }

  /** Lets go of whole pieces before a position, once memory is half full: until then somebody may still want to begin. */
  trim(position: number): void {
    for (
      let [first] = this.#pieces;
      first && this.#firstBytes + first.length <= position && this.#heldBytes > this.#mostBytes / 2;
      [first] = this.#pieces
    ) {
      this.#pieces.shift();
      this.#firstBytes += first.length;
      this.#heldBytes -= first.length;
    }
    this.#roomFreed();
  }

  /** Nobody adds any more, or nobody shall wait any more. */
  release(): void {
    this.#released = true;
    this.#roomFreed();
  }
}
