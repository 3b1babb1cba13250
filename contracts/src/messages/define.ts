import type { z } from 'zod';
import type { DomainEvent } from './envelope.js';
import { commandSubject, jobSubject, type Context, type JobContext } from './subjects.js';

/**
 * A published event shape. `v` is the newest schema version; `upcasters[n]` turns the data of version n into that of n + 1,
 * so deciders and projections see only the newest shape.
 */
export interface EventDefinition<T extends string = string, S extends z.ZodType = z.ZodType> {
  readonly type: T;
  readonly v: number;
  readonly schema: S;
  readonly upcasters: Readonly<Record<number, (data: never) => unknown>>;
  /** Builds an event of this type in its newest version. */
  (data: z.infer<S>): DomainEvent<T, z.infer<S>>;
}

/** Defines an event type; the result is also its constructor. */
export const defineEvent = <T extends string, S extends z.ZodType>(
  type: T,
  schema: S,
  versions: { v: number; upcasters: Record<number, (data: never) => unknown> } = {
    v: 1,
    upcasters: {},
  },
): EventDefinition<T, S> => {
  const definition: EventDefinition<T, S> = Object.assign((data: z.infer<S>) => ({ type, v: definition.v, data }), {
    type,
    schema,
    v: versions.v,
    upcasters: versions.upcasters,
  });
  return definition;
};

/** The event that a definition describes. */
export type EventOf<D> = D extends EventDefinition<infer T, infer S> ? DomainEvent<T, z.infer<S>> : never;

/** Brings stored data of an older schema version to the newest one. */
export const upcast = (definition: EventDefinition, v: number, data: unknown): unknown => {
  let current = data;
  for (let version = v; version < definition.v; version += 1) {
    const step = definition.upcasters[version];
    if (!step) throw new Error(`${definition.type} has no upcaster from version ${version}`);
    current = step(current as never);
  }
  return current;
};

/** A command that somebody waits for: request subject, input schema and result schema. */
export interface CommandDefinition<S extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly context: Context;
  readonly verb: string;
  readonly subject: string;
  readonly schema: S;
  readonly result: R;
}

/** Defines a command answered on `cmd.<context>.<verb>`. */
export const defineCommand = <S extends z.ZodType, R extends z.ZodType>(
  context: Context,
  verb: string,
  schema: S,
  result: R,
): CommandDefinition<S, R> => ({
  context,
  verb,
  subject: commandSubject(context, verb),
  schema,
  result,
});

/** A question over core NATS that every subscriber of its subject hears, where a command goes to one of them. */
export interface QueryDefinition<Q = unknown, A = unknown> {
  readonly schema: z.ZodType<Q>;
  readonly answer: z.ZodType<A>;
}

/** Defines a query by the schemas of its question and its answer; its subject may depend on who is asked. */
export const defineQuery = <Q, A>(schema: z.ZodType<Q>, answer: z.ZodType<A>): QueryDefinition<Q, A> => ({ schema, answer });

/** A kind of long work that nobody waits for. */
export interface JobDefinition<S extends z.ZodType = z.ZodType> {
  readonly context: JobContext;
  readonly kind: string;
  readonly subject: string;
  readonly schema: S;
}

/** Defines a job queued on `jobs.<context>.<kind>`. */
export const defineJob = <S extends z.ZodType>(context: JobContext, kind: string, schema: S): JobDefinition<S> => ({
  context,
  kind,
  subject: jobSubject(context, kind),
  schema,
});
