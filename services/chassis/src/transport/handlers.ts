import type { CommandDefinition, CommandMessage, JobDefinition, LogPosition } from '@continuo/contracts';
import { MessagePattern } from '@nestjs/microservices';
import type { z } from 'zod';
import type { JobDelivery } from '../jobs/job-queue.js';

/** What a command handler answers: the result and the positions to wait for. */
export interface Handled<R> {
  readonly result: R;
  readonly positions: readonly LogPosition[];
}

/** Method type of a command handler: parsed data in, result out; refuse with `Rejection`. */
export type CommandHandlerMethod<D extends CommandDefinition> = (message: CommandMessage<z.output<D['schema']>>) => Promise<Handled<z.input<D['result']>>>;

/** Method type of a job handler; returning acknowledges, throwing retries until the redeliveries are used up. */
export type JobHandlerMethod<D extends JobDefinition> = (data: z.output<D['schema']>, delivery: JobDelivery) => Promise<void>;

type HandlerDecorator<M> = (target: object, key: string, descriptor: TypedPropertyDescriptor<M>) => void;

/** Marks a controller method as the handler of a command; several replicas share the load by queue group. */
export const HandlesCommand = <D extends CommandDefinition>(definition: D): HandlerDecorator<CommandHandlerMethod<D>> =>
  MessagePattern(definition.subject, { kind: 'command', definition }) as HandlerDecorator<CommandHandlerMethod<D>>;

/** Marks a controller method as the worker of a kind of job. */
export const HandlesJob = <D extends JobDefinition>(
  definition: D,
  options: { concurrency?: number; ackWaitMs?: number; maxAttempts?: number } = {},
): HandlerDecorator<JobHandlerMethod<D>> => MessagePattern(definition.subject, { kind: 'job', definition, options }) as HandlerDecorator<JobHandlerMethod<D>>;
