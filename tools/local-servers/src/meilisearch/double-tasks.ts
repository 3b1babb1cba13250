import type { TasksQuery, TaskStatus, TaskType } from './double-requests.js';

/** A task in the form in which the server reports it. */
export interface DoubleTask {
  readonly uid: number;
  readonly indexUid: string | null;
  status: TaskStatus;
  readonly type: TaskType;
  readonly enqueuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  duration: string | null;
  error: { message: string; code: string; type: string; link: string } | null;
  batchUid: number | null;
  canceledBy: null;
  details: Record<string, unknown>;
}

/** Failure of a task. */
export class TaskFault extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Pace of the server's tasks; specs change it. */
export interface TaskPace {
  /** Time that each takes, ms. */
  taskMs: number;
  /** Nothing is begun any more. */
  isStuck: boolean;
  /** The next tasks fail with these codes, one each. */
  readonly failures: string[];
}

const errorOf = (code: string, message: string): DoubleTask['error'] => ({
  message,
  code,
  type: 'invalid_request',
  link: `errors#${code}`,
});

/** Tasks one after the other, in the order in which they came. */
export class DoubleTasks {
  readonly pace: TaskPace = { taskMs: 1, isStuck: false, failures: [] };
  readonly #tasks: DoubleTask[] = [];
  readonly #works = new Map<number, () => void>();
  #timer: NodeJS.Timeout | undefined;
  /** The longest that the queue has ever been. */
  longest = 0;

  enqueue(type: TaskType, indexUid: string | null, work: () => void): Record<string, unknown> {
    const enqueuedAt = new Date().toISOString();
    const task: DoubleTask = {
      uid: this.#tasks.length,
      indexUid,
      status: 'enqueued',
      type,
      enqueuedAt,
      startedAt: null,
      finishedAt: null,
      duration: null,
      error: null,
      batchUid: null,
      canceledBy: null,
      details: {},
    };
    this.#tasks.push(task);
    this.#works.set(task.uid, work);
    this.longest = Math.max(this.longest, this.#works.size);
    this.#schedule();
    return { taskUid: task.uid, indexUid, status: 'enqueued', type, enqueuedAt };
  }

  list(query: TasksQuery): { results: DoubleTask[]; total: number; limit: number; from: number | null; next: number | null } {
    const { limit = 20, uids, statuses, types, indexUids } = query;
    const all = this.#tasks
      .filter(
        (task) =>
          (uids?.includes(task.uid) ?? true) &&
          (statuses?.includes(task.status) ?? true) &&
          (types?.includes(task.type) ?? true) &&
          (indexUids === undefined || (task.indexUid !== null && indexUids.includes(task.indexUid))),
      )
      .toReversed();
    const results = all.slice(0, limit);
    return { results, total: all.length, limit, from: results[0]?.uid ?? null, next: all[limit]?.uid ?? null };
  }

  /** Number of tasks so far, by type. */
  count(type: TaskType): number {
    return this.#tasks.filter((task) => task.type === type).length;
  }

  resume(): void {
    this.pace.isStuck = false;
    this.#schedule();
  }

  /** As when the folder of the server is emptied. */
  clear(): void {
    this.#tasks.length = 0;
    this.#works.clear();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.pace.isStuck = true;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.pace.isStuck) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#step();
    }, this.pace.taskMs);
  }

  #step(): void {
    const [next] = this.#works;
    if (next === undefined || this.pace.isStuck) return;
    const [uid, work] = next;
    this.#works.delete(uid);
    const task = this.#tasks[uid];
    if (task) this.#carryOut(task, work);
    if (this.#works.size > 0) this.#schedule();
  }

  #carryOut(task: DoubleTask, work: () => void): void {
    task.startedAt = new Date().toISOString();
    const failure = this.pace.failures.shift();
    try {
      if (failure !== undefined) throw new TaskFault(failure, 'as the spec wanted it');
      work();
      task.status = 'succeeded';
    } catch (error) {
      if (!(error instanceof TaskFault)) throw error;
      task.status = 'failed';
      task.error = errorOf(error.code, error.message);
    }
    task.finishedAt = new Date().toISOString();
    task.duration = `PT0.00${this.pace.taskMs % 10}S`;
    task.batchUid = task.uid;
  }
}
