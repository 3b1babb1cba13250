import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import type { CommandDefinition, JobDefinition } from '@continuo/contracts';
import { isObservable, lastValueFrom } from 'rxjs';
import type { WorkHandler } from '../jobs/delivery-run.js';
import { JobWorker } from '../jobs/job-worker.js';
import { reactionSubject } from '../jobs/job-streams.js';
import { CommandEndpoint } from './command-endpoint.js';
import { assertExactlyOneHandler, type DeclaredSubjects } from './declared-subjects.js';
import { EventReactor, reactorName, type ReactorDependencies } from './event-reactor.js';
import type { Handled, HandlerExtras, JobOptions, Reaction } from './handlers.js';

/** Dependencies of the transport of one service. */
export interface TransportDependencies extends ReactorDependencies {
  /** The subjects that the service must answer, each with exactly one handler. */
  readonly declared: DeclaredSubjects;
  /** Options of kinds of jobs by subject, before those of their decorators; asked when all providers are there. */
  readonly jobOptions: () => Readonly<Record<string, JobOptions>>;
}

interface Registered {
  readonly pattern: string;
  readonly extras: HandlerExtras;
  readonly call: (...args: unknown[]) => Promise<unknown>;
}

/**
 * Connects Nest controllers to NATS: commands by request and reply in a queue group, jobs and events by durable pull consumers.
 * Nest's own NATS transport is slower and knows no JetStream. It listens and drains in life-cycle hooks: Nest itself would listen after the hooks of
 * all modules, and close before them.
 */
export class JetStreamStrategy extends Server implements CustomTransportStrategy, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #tools: TransportDependencies;
  readonly #registered: Registered[] = [];
  #commands: CommandEndpoint[] = [];
  #workers: (JobWorker | EventReactor)[] = [];

  constructor(tools: TransportDependencies) {
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

  /** Listens already. */
  listen(callback: () => void): void {
    callback();
  }

  /** Drains later. */
  close(): void {
    return undefined;
  }

  /** Stops taking work, finishes what can be finished within the drain time and hands the rest back. */
  async beforeApplicationShutdown(): Promise<void> {
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

  /** Checks the handlers and starts to take commands and jobs. */
  async onApplicationBootstrap(): Promise<void> {
    assertExactlyOneHandler(
      this.#tools.declared,
      this.#registered.map(({ extras, pattern }) => ({ kind: extras.kind, subject: this.#subjectOf(extras, pattern) })),
    );
    const commands = this.#registered.flatMap(({ extras, call }) =>
      extras.kind === 'command' ? [this.#endpoint(extras.definition, call)] : [],
    );
    const jobOptions = this.#tools.jobOptions();
    const workers = this.#registered.flatMap(({ extras, call }): (JobWorker | EventReactor)[] => {
      if (extras.kind === 'job')
        return [this.#worker(extras.definition, { ...extras.options, ...jobOptions[extras.definition.subject] }, call)];
      return extras.kind === 'event' ? [this.#reactor(extras, call)] : [];
    });
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

  #worker(definition: JobDefinition, options: JobOptions, call: Registered['call']): JobWorker {
    return new JobWorker(this.#tools, definition, workHandler(call), options);
  }

  #reactor(reaction: Reaction, call: Registered['call']): EventReactor {
    return new EventReactor(this.#tools, reaction, workHandler(call));
  }

  #subjectOf(extras: HandlerExtras, pattern: string): string {
    return extras.kind === 'event' ? reactionSubject(reactorName(this.#tools.service, extras)) : pattern;
  }
}

const workHandler =
  (call: Registered['call']): WorkHandler =>
  async (payload, delivery) =>
    void (await call(payload, delivery));
