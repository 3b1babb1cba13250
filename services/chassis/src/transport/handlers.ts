import type {
  CommandDefinition,
  CommandMessage,
  Context,
  EventDefinition,
  EventOf,
  JobDefinition,
  LogPosition,
  RecordedEvent,
} from '@continuo/contracts';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { z } from 'zod';
import type { DecisionOutcome } from '../aggregates/runner.js';
import type { JobDelivery } from '../jobs/job-queue.js';

/** Answer of a command handler: the result and the positions to wait for. */
export interface Handled<R> {
  readonly result: R;
  readonly positions: readonly LogPosition[];
}

/** A command of a definition as its handler takes it: parsed. */
export type CommandOf<D extends CommandDefinition> = CommandMessage<z.output<D['schema']>>;

/** Answer of the handler of a definition's commands. */
export type AnswerTo<D extends CommandDefinition> = Promise<Handled<z.input<D['result']>>>;

/** Method type of a command handler: parsed data in, result out; refuse with `Rejection`. */
export type CommandHandlerMethod<D extends CommandDefinition> = (message: CommandOf<D>) => AnswerTo<D>;

/** Positions to wait for after decisions: none when they made no event. */
export const positionsOf = ({ position }: Pick<DecisionOutcome, 'position'>): readonly LogPosition[] => (position ? [position] : []);

/** Answer of a command after its decisions when there is nothing to tell but the positions to wait for. */
export const done = async (decided: DecisionOutcome | Promise<DecisionOutcome>): Promise<Handled<Record<string, never>>> => ({
  result: {},
  positions: positionsOf(await decided),
});

/** Method type of a job handler; returning acknowledges, throwing retries until the redeliveries are used up. */
export type JobHandlerMethod<D extends JobDefinition> = (data: z.output<D['schema']>, delivery: JobDelivery) => Promise<void>;

/** Options of a job worker. */
export interface JobOptions {
  /** Jobs worked on at the same time by this replica; default 1. With 0 it leaves them to the others. */
  readonly concurrency?: number;
  /** Silence after which the job is given to another worker, ms; the worker reports itself alive three times in it. Default 30 000. */
  readonly ackWaitMs?: number;
  /** Attempts, this one included, after which the job becomes a dead letter; default 5. */
  readonly maxAttempts?: number;
}

/** Event type that a reactor handles; every result of `defineEvent` fits. */
export type NamedEvent = Pick<EventDefinition, 'type' | 'v' | 'schema' | 'upcasters'>;

/** A recorded event of one of the definitions, in its newest version; `switch (event.type)` distinguishes them. */
export type RecordedOf<D> = D extends NamedEvent ? RecordedEvent<EventOf<D>> : never;

/** Method type of a reactor; returning acknowledges, throwing retries until the attempts are used up. */
export type EventHandlerMethod<D extends NamedEvent> = (event: RecordedOf<D>, delivery: JobDelivery) => Promise<void>;

/** Options of a reactor. The acknowledgement wait is that of jobs; an event becomes a dead letter after 8 attempts (about two minutes) by default. */
export interface ReactorOptions extends JobOptions {
  /** Start position of a reactor that has never run before: new events only (the default), the beginning of the log, or after a position. */
  readonly startFrom?: 'new' | 'all' | { readonly afterPosition: number };
  /**
   * `any` (the default): first deliveries leave the log in order, but up to `concurrency` events per replica are worked on side by side, also two
   * of one aggregate, and a retried event comes after later ones. A reactor that minds compares `event.position` with what it has done.
   * `log`: one event at a time over all replicas, in the order of the log; the next one waits until the one before is done or a dead letter.
   */
  readonly order?: 'any' | 'log';
  /**
   * Only events of these kinds of aggregate (as they stand in the subject); spares the reactor from skipping the rest. Default: all. A release that
   * asks for other kinds gets them from about its own start on.
   */
  readonly aggregates?: readonly string[];
}

/** Metadata that the decorators leave with Nest for the transport. */
export type HandlerExtras =
  | { readonly kind: 'command'; readonly definition: CommandDefinition }
  | { readonly kind: 'job'; readonly definition: JobDefinition; readonly options: JobOptions }
  | ({ readonly kind: 'event' } & Reaction);

/** A reactor as its decorator describes it. */
export interface Reaction {
  readonly context: Context;
  /** Unique within the service. */
  readonly name: string;
  readonly definitions: readonly NamedEvent[];
  readonly options: ReactorOptions;
  /** Name under which replayed events come back, where that of the reactor changes; default: its own. */
  readonly replayName?: string;
}

/** Fits methods of type `M`, also those that leave out the last parameters. */
type HandlerDecorator<M> = <F extends M>(target: object, key: string, descriptor: TypedPropertyDescriptor<F>) => void;

const mark = <M>(subject: string, extras: HandlerExtras): HandlerDecorator<M> => MessagePattern(subject, extras) as HandlerDecorator<M>;

/** Marks a controller method as the handler of a command; several replicas share the load by queue group. */
export const HandlesCommand = <D extends CommandDefinition>(definition: D): HandlerDecorator<CommandHandlerMethod<D>> =>
  mark<CommandHandlerMethod<D>>(definition.subject, { kind: 'command', definition });

/** Marks a controller method as the worker of a kind of job. */
export const HandlesJob =
  <D extends JobDefinition>(definition: D, options: JobOptions = {}): HandlerDecorator<JobHandlerMethod<D>> =>
  (target, key, descriptor) => {
    passBoth(target, key);
    mark<JobHandlerMethod<D>>(definition.subject, { kind: 'job', definition, options })(target, key, descriptor);
  };

/**
 * Marks a controller method as a reactor: it is called with each event of the named types that the context's stream holds, at least once.
 * All replicas of the service share the durable consumer `<service>-<name>`. Events of other types are acknowledged and skipped.
 *
 * The method must be idempotent: derive ids from `event.id` (the id of a command or a job) and check `event.position`
 * before writing. The delivery is a `MessageContext` for what the event causes; its `signal` fires when the reactor drains. Throw to have the
 * event again after a pause that grows from one second to five minutes, `RetryLater` for a pause that counts as no attempt. After `maxAttempts`,
 * or when the event cannot be decoded, it goes to the dead letters under `react.<service>-<name>`. A replay brings it back to this reactor alone,
 * through a work queue of its own, and so out of order and by a slot beside the `concurrency` ones; the event log is not written.
 *
 * A new name is a new reactor, which starts where `startFrom` says. The consumer of a name no longer used stays until an operator removes it.
 * ```ts
 * @HandlesEvents('library', 'scan-new-catalogs', [catalogAdded], { startFrom: 'all', aggregates: ['catalog'] })
 * async scan({ data, id }: RecordedOf<typeof catalogAdded>, delivery: JobDelivery): Promise<void> {
 *   await this.commands.send(startScan, { catalogId: data.catalogId }, delivery, { commandId: id });
 * }
 * ```
 * @throws Error at the definition of the class when the name is no lower-case token or no event is named.
 */
export const HandlesEvents = <const D extends readonly NamedEvent[]>(
  context: Context,
  name: string,
  definitions: D,
  options: ReactorOptions = {},
): HandlerDecorator<EventHandlerMethod<D[number]>> => {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`"${name}" cannot name a reactor: only lower-case letters, digits and dashes`);
  if (definitions.length === 0) throw new Error(`The reactor "${name}" names no event`);
  return (target, key, descriptor) => {
    passBoth(target, key);
    const extras = { kind: 'event', context, name, definitions, options } as const;
    mark<EventHandlerMethod<D[number]>>(`events.${name}`, extras)(target, key, descriptor);
  };
};

/** Nest passes on the first argument only, unless the parameters are marked. */
const passBoth = (target: object, key: string): void => {
  Payload()(target, key, 0);
  Ctx()(target, key, 1);
};
