import { Rejection } from '@continuo/contracts';

/** Seconds after which a client may retry. */
const RETRY_AFTER_SECONDS = 5;

/** All slots and the queue are full. */
export class ServerBusy extends Rejection {
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS;

  constructor() {
    super('unavailable', 'the server is busy, ask again');
  }
}

/** Account id whose slots are counted together; undefined for work of no account, which only the total limits. */
export type Holder = number | undefined;

interface Waiting {
  readonly holder: Holder;
  readonly proceed: () => void;
}

/** Concurrency limit: runs a bounded number of tasks at a time; a bounded number more may wait in a queue. */
export class ConcurrencyLimiter {
  private taken = 0;
  private readonly waiting: Waiting[] = [];
  private readonly takenBy = new Map<number, number>();

  /**
   * @param slots tasks that may run at a time
   * @param queue tasks that may wait
   * @param perHolder slots that one holder may have, so that the slow work of one account leaves room for the others
   */
  constructor(
    private readonly slots: number,
    private readonly queue: number = Number.POSITIVE_INFINITY,
    private readonly perHolder: number = Number.POSITIVE_INFINITY,
  ) {}

  /** Number of slots. */
  get total(): number {
    return this.slots;
  }

  /** Number of slots in use. */
  get used(): number {
    return this.taken;
  }

  /** Number of tasks that wait for a slot. */
  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Acquires a slot and returns the function that releases it; releasing twice does no harm.
   * @throws ServerBusy when the queue is full too
   */
  async acquire(holder?: Holder): Promise<() => void> {
    if (this.taken < this.slots && this.mayHave(holder)) this.occupy(holder);
    else if (this.waiting.length >= this.queue) throw new ServerBusy();
    else await new Promise<void>((proceed) => this.waiting.push({ holder, proceed }));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.release(holder);
    };
  }

  /** Runs a task in a slot. */
  async run<R>(task: () => Promise<R>): Promise<R> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  private mayHave(holder: Holder): boolean {
    return holder === undefined || (this.takenBy.get(holder) ?? 0) < this.perHolder;
  }

  private occupy(holder: Holder): void {
    this.taken += 1;
    if (holder !== undefined) this.takenBy.set(holder, (this.takenBy.get(holder) ?? 0) + 1);
  }

  private release(holder: Holder): void {
    this.taken -= 1;
    const left = holder === undefined ? 0 : (this.takenBy.get(holder) ?? 0) - 1;
    if (holder !== undefined && left > 0) this.takenBy.set(holder, left);
    else if (holder !== undefined) this.takenBy.delete(holder);
    // The slot goes to the task that waited longest before a new task can acquire it.
    const index = this.waiting.findIndex((one) => this.mayHave(one.holder));
    const [next] = index < 0 ? [] : this.waiting.splice(index, 1);
    if (!next) return;
    this.occupy(next.holder);
    next.proceed();
  }
}
