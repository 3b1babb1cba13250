import type { Worker } from 'node:worker_threads';
import type { PictureFileResult, ReadLimits, TagReader, TrackRequest, TrackResult } from './tag-reader.js';
import type { WorkerReply, WorkerTask } from './worker-messages.js';
import { startWorkerThread } from './worker-thread.js';

export interface TagPoolOptions extends ReadLimits {
  readonly threads: number;
  /** Files that one thread reads at the same time: most of a read is waiting for the disk. */
  readonly inFlightPerThread: number;
}

type Result = TrackResult | PictureFileResult;

interface Job {
  readonly task: WorkerTask;
  readonly settle: (result: Result) => void;
  /** True after a thread died with this job among others: it is tried once more, alone, to find the culprit. */
  suspect: boolean;
}

/** The part of a worker thread that the pool uses. */
export type TagThread = Pick<Worker, 'postMessage' | 'on' | 'terminate' | 'unref'>;

interface Slot {
  readonly worker: TagThread;
  /** When the last answer came, for ending threads that nobody needs. */
  usedAt: number;
  readonly running: Map<number, { job: Job; deadline: number }>;
}

/** Beyond its own time limit a thread gets this long before it counts as stuck in one file. */
const STUCK_GRACE_MS = 2000;
const WATCH_INTERVAL_MS = 1000;
/** A thread without work for this long is ended: a service that does not scan needs no memory for it. */
const IDLE_MS = 15_000;

/** Reads tags in worker threads. A file that kills or blocks its thread is reported as damaged; the others are read again in a new thread. */
export class TagPool implements TagReader {
  private readonly slots: Slot[] = [];
  private readonly waiting: Job[] = [];
  private readonly suspects: Job[] = [];
  /** Runs while there are threads. */
  private watch: NodeJS.Timeout | undefined;
  private nextId = 1;
  private closed = false;

  /** @param startThread starts one worker; specs bring their own */
  constructor(
    private readonly options: TagPoolOptions,
    private readonly startThread: (limits: ReadLimits) => TagThread = startWorkerThread,
  ) {}

  readTrack(request: TrackRequest): Promise<TrackResult> {
    return this.submit({ id: this.nextId++, kind: 'track', request }) as Promise<TrackResult>;
  }

  readPicture(path: string): Promise<PictureFileResult> {
    return this.submit({ id: this.nextId++, kind: 'picture', path }) as Promise<PictureFileResult>;
  }

  /** Ends the threads; what is still under way is reported as unreadable. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    await Promise.all(
      this.slots.splice(0).map(({ worker, running }) => {
        for (const { job } of running.values()) job.settle(gaveUp(job.task, 'unreadable', 'reading was stopped'));
        return worker.terminate();
      }),
    );
    for (const job of [...this.waiting.splice(0), ...this.suspects.splice(0)])
      job.settle(gaveUp(job.task, 'unreadable', 'reading was stopped'));
  }

  private submit(task: WorkerTask): Promise<Result> {
    return new Promise((settle) => {
      this.waiting.push({ task, settle, suspect: false });
      this.dispatch();
    });
  }

  private dispatch(): void {
    if (this.closed) return;
    if (this.suspects.length > 0 && this.slots.length === 0) this.slots.push(this.startSlot());
    for (const slot of this.slots) {
      if (this.suspects.length > 0 && slot.running.size === 0) this.give(slot, this.suspects.shift() as Job);
    }
    while (this.waiting.length > 0) {
      const slot = this.freeSlot();
      if (slot === undefined) return;
      this.give(slot, this.waiting.shift() as Job);
    }
  }

  /** The least busy thread with room; threads are started as they are needed, and none gets work beside a suspect. */
  private freeSlot(): Slot | undefined {
    const usable = this.slots.filter(
      ({ running }) => running.size < this.options.inFlightPerThread && ![...running.values()].some(({ job }) => job.suspect),
    );
    const idle = usable.find(({ running }) => running.size === 0);
    if (idle === undefined && this.slots.length < this.options.threads) {
      const slot = this.startSlot();
      this.slots.push(slot);
      return slot;
    }
    // While suspects wait, threads are left to run empty, so that one of them gets free for a suspect alone.
    if (this.suspects.length > 0) return undefined;
    return idle ?? usable.toSorted((a, b) => a.running.size - b.running.size)[0];
  }

  private give(slot: Slot, job: Job): void {
    slot.running.set(job.task.id, { job, deadline: Date.now() + this.options.parseTimeoutMs + STUCK_GRACE_MS });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    slot.worker.postMessage(job.task);
  }

  private startSlot(): Slot {
    this.watch ??= setInterval(() => this.endUselessThreads(), WATCH_INTERVAL_MS).unref();
    const slot: Slot = { worker: this.startThread(this.options), running: new Map(), usedAt: Date.now() };
    slot.worker.unref();
    slot.worker.on('message', (reply: WorkerReply) => this.onReply(slot, reply));
    // An uncaught error ends the thread; `exit` follows and is handled there.
    slot.worker.on('error', () => undefined);
    slot.worker.on('exit', () => this.onExit(slot));
    return slot;
  }

  private onReply(slot: Slot, reply: WorkerReply): void {
    const entry = slot.running.get(reply.id);
    slot.usedAt = Date.now();
    slot.running.delete(reply.id);
    if (entry)
      entry.job.settle('result' in reply ? reply.result : gaveUp(entry.job.task, 'damaged', `the file is damaged: ${reply.error}`));
    this.dispatch();
  }

  private onExit(slot: Slot): void {
    const place = this.slots.indexOf(slot);
    if (place >= 0) this.slots.splice(place, 1);
    const jobs = [...slot.running.values()].map(({ job }) => job);
    slot.running.clear();
    for (const job of jobs) {
      if (job.suspect || jobs.length === 1) job.settle(gaveUp(job.task, 'damaged', 'reading the file took too long or too much memory'));
      else this.suspects.push(Object.assign(job, { suspect: true }));
    }
    this.dispatch();
    if (this.slots.length > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
  }

  /** Ends threads that are stuck in a file, and idle ones. */
  private endUselessThreads(): void {
    const now = Date.now();
    for (const slot of this.slots) {
      const isStuck = [...slot.running.values()].some(({ deadline }) => deadline < now);
      const isIdle = slot.running.size === 0 && slot.usedAt + IDLE_MS < now;
      if (isStuck || isIdle) void slot.worker.terminate();
    }
  }
}

const gaveUp = (task: WorkerTask, reason: 'damaged' | 'unreadable', message: string): Result =>
  task.kind === 'track' ? { ok: false, reason, message } : { ok: false, why: message };

/** The tag reader of a running service. */
export const createTagPool = (options: TagPoolOptions): TagReader => new TagPool(options);
