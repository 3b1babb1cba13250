import { parentPort, type Worker } from 'node:worker_threads';
import type { RecordedEvent } from '@continuo/contracts';
import { CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { upcastPublished } from '../event-store/catalogue.js';
import { withBody } from '../event-store/headers.js';
import type { Filling } from './projection.js';
import type { StoredBatch } from './stored-batches.js';

/** Work for the thread. */
type FillingOrder = Pick<StoredBatch, 'events' | 'bodies' | 'lengths'>;

/** Its answer, in the order of the work. */
type FillingAnswer =
  | { readonly queries: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[] }
  | { readonly error: Error };

/**
 * A thread that turns stored events into queries, so that the process goes on answering people, and Postgres has work, while that is done. Its objects die in a heap of its own, which is
 * small and therefore quick to look through.
 */
export class FillingThread {
  readonly #worker: Worker;
  #waiting: PromiseWithResolvers<FillingAnswer>[] = [];
  #end: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (answer: FillingAnswer) => this.#waiting.shift()?.resolve(answer));
    worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => this.#fail(new Error(`the thread that fills tables ended (${code})`)));
  }

  /** @throws Error when an event cannot be read, or the thread has ended */
  async project({ events, bodies, lengths }: StoredBatch): Promise<readonly CompiledQuery[]> {
    if (this.#end) throw this.#end;
    const waiting = Promise.withResolvers<FillingAnswer>();
    this.#waiting.push(waiting);
    const order: FillingOrder = { events, bodies, lengths };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    this.#worker.postMessage(order, [bodies.buffer]);
    const answer = await waiting.promise;
    if ('error' in answer) throw answer.error;
    return answer.queries.map(({ sql, parameters }) => CompiledQuery.raw(sql, [...parameters]));
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#end ??= error;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) one.reject(error);
  }
}

/** Compiles queries, and has nowhere to run them. */
const nowhere = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const answerTo = ({ events, bodies, lengths }: FillingOrder, filling: Filling): FillingAnswer => {
  let at = 0;
  const recorded = events.map((envelope, index): RecordedEvent => {
    const end = at + (lengths[index] ?? 0);
    const event = withBody(envelope, bodies.subarray(at, end), upcastPublished);
    at = end;
    return event;
  });
  const queries = recorded.length === 0 ? [] : filling.project(recorded, nowhere).map((query) => query.compile());
  return { queries: queries.map(({ sql, parameters }) => ({ sql, parameters })) };
};

/** Does the work of a {@link FillingThread}, in the thread. */
export const answerFilling = (filling: Filling): void => {
  parentPort?.on('message', (order: FillingOrder) => {
    let answer: FillingAnswer;
    try {
      answer = answerTo(order, filling);
    } catch (error) {
      answer = { error: error instanceof Error ? error : new Error(String(error)) };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
    parentPort?.postMessage(answer);
  });
};
