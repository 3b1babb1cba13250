import { Rejection } from '@continuo/contracts';

/** Lets a bounded number of pieces of heavy work run at a time; a bounded number more may wait. */
export class Places {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly places: number,
    private readonly queue: number = Number.POSITIVE_INFINITY,
  ) {}

  /** Places that there are. */
  get total(): number {
    return this.places;
  }

  /** Places that are taken. */
  get used(): number {
    return this.taken;
  }

  /** Pieces of work that wait for a place. */
  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Takes a place and answers how to give it back; giving back twice does no harm.
   * @throws Rejection `unavailable` when the queue is full too
   */
  async take(): Promise<() => void> {
    if (this.taken < this.places) this.taken += 1;
    else if (this.waiting.length >= this.queue) throw new Rejection('unavailable', 'the server is busy, ask again');
    // Whoever gives back hands the place over without freeing it.
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.waiting.shift();
      if (next) next();
      else this.taken -= 1;
    };
  }

  /** Does a piece of work in a place. */
  async run<R>(work: () => Promise<R>): Promise<R> {
    const giveBack = await this.take();
    try {
      return await work();
    } finally {
      giveBack();
    }
  }
}
