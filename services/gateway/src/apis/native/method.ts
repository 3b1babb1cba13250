import { requireLevel } from '../../auth/index.js';
import type { AccessLevel } from '@continuo/contracts';
import { z } from 'zod';
import type { CallerContext, RequestContext } from '../../server/requests/request-context.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { readParams, type RawParams } from './params.js';
import type { NativeResult } from './result.js';
import type { ApiVersion, Format, VersionPolicy } from './versions/policy.js';

/** A call of a public method, without authentication. */
export interface PublicCall<P, S> {
  readonly params: P;
  readonly context: RequestContext;
  readonly services: S;
  readonly policy: VersionPolicy;
  readonly format: Format;
  /** API version to report, in the client's spelling. */
  readonly api: string;
  /** Switches to the version of an account after authentication; returns the version to report. */
  readonly switchVersion: (userId: number) => Promise<string>;
  /** Version that the client requested, in its spelling; of the REST path if they differ. Empty when absent. */
  readonly requestedVersion: string;
  /** True for HEAD: media methods send headers only. */
  readonly headersOnly: boolean;
}

/** A call of an authenticated caller. */
export interface CallerCall<P, S> extends PublicCall<P, S> {
  readonly context: CallerContext;
  readonly viewer: Viewer;
}

/** Properties of every row. */
interface RowFacts {
  readonly versions: readonly ApiVersion[];
  /** True when success is media instead of a document. */
  readonly binary: boolean;
  /** Older parameter names by the present one; the first one sent wins. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** Parameter names; without those of search rules, which are numbered. */
  readonly parameters: readonly string[];
  /** Schema of the parameters. */
  readonly schema: z.ZodType;
}

/** An action without authentication. */
export interface PublicRow<S> extends RowFacts {
  readonly kind: 'public';
  /** True when the action uses the version of the session that it names. */
  readonly inSession: boolean;
  invoke(raw: RawParams, call: Omit<PublicCall<never, S>, 'params'>): Promise<NativeResult>;
}

/** An action that requires an access level. */
export interface CallerRow<S> extends RowFacts {
  readonly kind: 'caller';
  /** Lowest access level. */
  readonly access: AccessLevel;
  /** True when the row checks the level itself, after parameters and feature. */
  readonly checksLevel?: true;
  invoke(raw: RawParams, call: Omit<CallerCall<never, S>, 'params'>): Promise<NativeResult>;
}

/** One action: versions, access level, parameters and what it does. */
export type MethodRow<S> = PublicRow<S> | CallerRow<S>;

interface Definition<P, C> {
  readonly versions: readonly ApiVersion[];
  readonly params: z.ZodType<P>;
  /** Older parameter names by the present one; the first one sent wins. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly binary?: boolean;
  readonly run: (call: C) => Promise<NativeResult>;
}

/** Field names of an object schema, also inside a transform. */
const namesOf = (schema: unknown): readonly string[] => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodPipe ? namesOf(schema.in) : [];
};

const factsOf = <P>({
  versions,
  params,
  binary = false,
  aliases = {},
}: Pick<Definition<P, never>, 'versions' | 'params' | 'binary' | 'aliases'>): RowFacts => ({
  versions,
  binary,
  aliases,
  parameters: namesOf(params),
  schema: params,
});

/** A check of actions before their parameters are read. */
interface Before<S> {
  readonly check: (call: Omit<CallerCall<never, S>, 'params'>, access: AccessLevel) => unknown;
  /** True when it checks the access level as well. */
  readonly checksLevel?: true;
}

/** Answers the functions that define actions whose handlers are given the services `S`, and what `method` checks first. */
export const methodsUsing = <S>({ check, checksLevel }: Partial<Before<S>> = {}) => ({
  /** Defines an action of authenticated callers. */
  method: <P>(definition: Definition<P, CallerCall<P, S>> & { readonly access: AccessLevel }): CallerRow<S> => ({
    kind: 'caller',
    ...factsOf(definition),
    access: definition.access,
    ...(checksLevel && { checksLevel }),
    invoke: async (raw, call) => {
      await check?.(call, definition.access);
      return definition.run({ ...call, params: readParams(definition.params, raw, definition.aliases) });
    },
  }),

  /**
   * Defines an action that checks parameters before the access level: `look` finds the object and rejects disabled features, then the level is
   * checked, then `run` gets what was found.
   */
  methodWithLookup: <P, F>(
    definition: Omit<Definition<P, CallerCall<P, S>>, 'run'> & {
      readonly access: AccessLevel;
      readonly look: (call: CallerCall<P, S>) => Promise<F>;
      readonly run: (call: CallerCall<P, S>, found: F) => Promise<NativeResult>;
    },
  ): CallerRow<S> => ({
    kind: 'caller',
    ...factsOf(definition),
    access: definition.access,
    checksLevel: true,
    invoke: async (raw, given) => {
      const call = { ...given, params: readParams(definition.params, raw, definition.aliases) };
      const found = await definition.look(call);
      requireLevel(call.context.caller, definition.access);
      return definition.run(call, found);
    },
  }),

  /** Defines an action without authentication. */
  publicMethod: <P>(definition: Definition<P, PublicCall<P, S>> & { readonly inSession?: boolean }): PublicRow<S> => ({
    kind: 'public',
    ...factsOf(definition),
    inSession: definition.inSession ?? false,
    invoke: (raw, call) => definition.run({ ...call, params: readParams(definition.params, raw, definition.aliases) }),
  }),
});

/** Services that the handlers of rows are given, taken together. */
export type ServicesOf<R> = Intersection<
  R extends { invoke(raw: RawParams, call: infer C): unknown } ? (C extends { services: infer S } ? S : never) : never
>;
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void ? I : never;
