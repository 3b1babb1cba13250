import { setTimeout as delay } from 'node:timers/promises';
import type { EnqueuedTask, Meilisearch, Task } from 'meilisearch';
import { SearchUnavailable } from '../../search-index.js';
import { persistently, type MeilisearchLimits } from './meilisearch-connection.js';

const FIRST_POLL_MS = 10;
const SLOWEST_POLL_MS = 500;
/** So many tasks are asked for at once; their ids travel in the address of the request. */
const PER_QUESTION = 100;

/**
 * The tasks that one writer has given to the server. Everything that changes an index is a task: accepted at once, carried out later, perhaps
 * with an error that only the task tells. The number of those that wait is bounded, also over time-outs and restarts, so that a server that is
 * slower than its writer is not given more and more.
 */
export class MeilisearchTasks {
  readonly #client: Meilisearch;
  readonly #limits: MeilisearchLimits;
  readonly #waiting = new Set<number>();

  constructor(client: Meilisearch, limits: MeilisearchLimits) {
    this.#client = client;
    this.#limits = limits;
  }

  /** Hands a task to the server as soon as it has few enough others for these indexes. @throws SearchUnavailable */
  async enqueue(indexes: readonly string[], request: () => Promise<EnqueuedTask>): Promise<void> {
    await this.#admission(indexes);
    const { taskUid } = await persistently(request, this.#limits.retries);
    this.#waiting.add(taskUid);
  }

  /** Waits until at most so many of the tasks are still to be carried out. @throws SearchUnavailable when one failed, or time is over */
  async settle(remaining = 0): Promise<void> {
    const until = Date.now() + this.#limits.taskTimeoutMs;
    for (let pauseMs = FIRST_POLL_MS; this.#waiting.size > remaining; pauseMs = Math.min(pauseMs * 1.5, SLOWEST_POLL_MS)) {
      const oldest = [...this.#waiting].slice(0, PER_QUESTION);
      const { results } = await this.#ask({ uids: oldest, limit: oldest.length });
      this.#note(oldest, results);
      if (this.#waiting.size <= remaining) return;
      if (Date.now() > until) throw new SearchUnavailable(`Meilisearch has not carried out ${this.#waiting.size} tasks in time`);
      await delay(pauseMs);
    }
  }

  /** Forgets what failed or did not end; the server goes on with it. */
  forget(): void {
    this.#waiting.clear();
  }

  #note(asked: readonly number[], tasks: readonly Task[]): void {
    const known = new Map(tasks.map((task) => [task.uid, task]));
    for (const uid of asked) {
      const task = known.get(uid);
      if (task?.status === 'enqueued' || task?.status === 'processing') continue;
      this.#waiting.delete(uid);
      if (task === undefined) throw new SearchUnavailable(`Meilisearch does not know task ${uid} any more`);
      if (task.status !== 'succeeded')
        throw new SearchUnavailable(`${task.type} of Meilisearch ${task.status}: ${task.error?.code ?? 'no reason given'}`);
    }
  }

  /** Also counts tasks that an earlier process, or an earlier try, has left in the queue. */
  async #admission(indexes: readonly string[]): Promise<void> {
    const { maxQueuedTasks, taskTimeoutMs } = this.#limits;
    if (this.#waiting.size >= maxQueuedTasks) await this.settle(maxQueuedTasks - 1);
    const until = Date.now() + taskTimeoutMs;
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, SLOWEST_POLL_MS)) {
      const { total } = await this.#ask({ statuses: ['enqueued', 'processing'], indexUids: [...indexes], limit: 1 });
      if (total < maxQueuedTasks) return;
      if (Date.now() > until) throw new SearchUnavailable(`Meilisearch has ${total} tasks in its queue and takes no more`);
      await delay(pauseMs);
    }
  }

  #ask(query: Parameters<Meilisearch['tasks']['getTasks']>[0]): ReturnType<Meilisearch['tasks']['getTasks']> {
    return persistently(() => this.#client.tasks.getTasks(query), this.#limits.retries);
  }
}
