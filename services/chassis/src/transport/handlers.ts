import type { CommandDefinition, CommandMessage, JobDefinition, LogPosition } from '@continuo/contracts';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { z } from 'zod';
import type { JobDelivery } from '../jobs/job-queue.js';

/** What a command handler answers: the result and the positions to wait for. */
export interface Handled<R> {
  readonly result: R;
  readonly positions: readonly LogPosition[];
}

/** Method type of a command handler: parsed data in, result out; refuse with `Rejection`. */
export type CommandHandlerMethod<D extends CommandDefinition> = (
  message: CommandMessage<z.output<D['schema']>>,
) => Promise<Handled<z.input<D['result']>>>;

/** Method type of a job handler; returning acknowledges, throwing retries until the redeliveries are used up. */
export type JobHandlerMethod<D extends JobDefinition> = (data: z.output<D['schema']>, delivery: JobDelivery) => Promise<void>;

/** How the worker of a kind of job behaves. */
export interface JobOptions {
  /** Jobs worked on at the same time by this replica; default 1. */
  readonly concurrency?: number;
  /** Silence after which the job is given to another worker, ms; the worker reports itself alive three times in it. Default 30 000. */
  readonly ackWaitMs?: number;
  /** Attempts, this one included, after which the job becomes a dead letter; default 5. */
  readonly maxAttempts?: number;
}

/** What the decorators leave with Nest for the transport. */
export type HandlerExtras =
  | { readonly kind: 'command'; readonly definition: CommandDefinition }
  | { readonly kind: 'job'; readonly definition: JobDefinition; readonly options: JobOptions };

type HandlerDecorator<M> = (target: object, key: string, descriptor: TypedPropertyDescriptor<M>) => void;

const mark = <M>(subject: string, extras: HandlerExtras): HandlerDecorator<M> => MessagePattern(subject, extras) as HandlerDecorator<M>;

/** Marks a controller method as the handler of a command; several replicas share the load by queue group. */
export const HandlesCommand = <D extends CommandDefinition>(definition: D): HandlerDecorator<CommandHandlerMethod<D>> =>
  mark<CommandHandlerMethod<D>>(definition.subject, { kind: 'command', definition });

/** Marks a controller method as the worker of a kind of job. */
export const HandlesJob =
  <D extends JobDefinition>(definition: D, options: JobOptions = {}): HandlerDecorator<JobHandlerMethod<D>> =>
  (target, key, descriptor) => {
    // Nest passes on the first argument only, unless the parameters are marked.
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    mark<JobHandlerMethod<D>>(definition.subject, { kind: 'job', definition, options })(target, key, descriptor);
  };
