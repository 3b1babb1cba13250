import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { CommandDefinition, JobDefinition } from '@continuo/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import type { JobDelivery } from '../jobs/job-queue.js';
import { JobWorker, type JobWorkerTools } from '../jobs/job-worker.js';
import { CommandEndpoint } from './command-endpoint.js';
import { assertExactlyOneHandler, type DeclaredSubjects } from './declared-subjects.js';
import type { Handled, HandlerExtras } from './handlers.js';

/** What the transport of one service needs. */
export interface TransportTools extends JobWorkerTools {
  /** The subjects that the service must answer, each with exactly one handler. */
  readonly declared: DeclaredSubjects;
}

interface Registered {
  readonly pattern: string;
  readonly extras: HandlerExtras;
  readonly call: (...args: unknown[]) => Promise<unknown>;
}

/**
 * Connects Nest controllers to NATS: commands by request and reply in a queue group, jobs by durable pull consumers on the work queues.
 * Nest's own NATS transport is slower and knows no JetStream.
 */
export class JetStreamStrategy extends Server implements CustomTransportStrategy {
  readonly #tools: TransportTools;
  readonly #registered: Registered[] = [];
  #commands: CommandEndpoint[] = [];
  #workers: JobWorker[] = [];

  constructor(tools: TransportTools) {
    super();
    this.#tools = tools;
  }

  /** Keeps every registration, also two for one pattern, so that the second is noticed and does not silently replace the first. */
  override addHandler(pattern: unknown, callback: MessageHandler, _isEventHandler?: boolean, extras: Record<string, unknown> = {}): void {
    const call = async (...args: unknown[]): Promise<unknown> => {
      const outcome: unknown = await (callback as (...args: unknown[]) => unknown)(...args);
      return isObservable(outcome) ? lastValueFrom(outcome) : outcome;
    };
    this.#registered.push({ pattern: String(pattern), extras: extras as unknown as HandlerExtras, call });
  }

  /** Checks the handlers and starts to take commands and jobs. */
  listen(callback: (error?: unknown) => void): void {
    this.#listen().then(
      () => callback(),
      (error: unknown) => callback(error),
    );
  }

  /** Stops taking work, finishes what can be finished within the drain time and hands the rest back. */
  async close(): Promise<void> {
    const [commands, workers] = [this.#commands, this.#workers];
    this.#commands = [];
    this.#workers = [];
    await Promise.all([
      ...commands.map((endpoint) => endpoint.drain(this.#tools.drainTimeoutMs)),
      ...workers.map((worker) => worker.drain()),
    ]);
  }

  /** This transport reports no events of its own; connection changes are logged where the connection is made. */
  on(): void {
    throw new Error('the transport has no events');
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the base class has it
  unwrap<T>(): T {
    return this.#tools.nats as T;
  }

  async #listen(): Promise<void> {
    assertExactlyOneHandler(
      this.#tools.declared,
      this.#registered.map(({ extras, pattern }) => ({ kind: extras.kind, subject: pattern })),
    );
    const commands = this.#registered.flatMap(({ extras, call }) =>
      extras.kind === 'command' ? [this.#endpoint(extras.definition, call)] : [],
    );
    const workers = this.#registered.flatMap(({ extras, call }) =>
      extras.kind === 'job' ? [this.#worker(extras.definition, extras, call)] : [],
    );
    this.#commands = commands;
    this.#workers = workers;
    for (const endpoint of commands) endpoint.start();
    await Promise.all(workers.map((worker) => worker.start()));
    // The subscriptions must have reached the server before anybody is told that the service is ready.
    await this.#tools.nats.flush();
  }

  #endpoint(definition: CommandDefinition, call: Registered['call']): CommandEndpoint {
    return new CommandEndpoint(this.#tools, definition, async (message) => (await call(message, {})) as Handled<unknown>);
  }

  #worker(definition: JobDefinition, extras: Extract<HandlerExtras, { kind: 'job' }>, call: Registered['call']): JobWorker {
    const handler = async (data: unknown, delivery: JobDelivery): Promise<void> => void (await call(data, delivery));
    return new JobWorker(this.#tools, definition, handler, extras.options);
  }
}
