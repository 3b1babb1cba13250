import { requireLevel } from '../auth/index.js';
import type { AccessLevel } from '@continuo/contracts';
import { z } from 'zod';
import type { CallerContext, RequestContext } from '../http/request-context.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { readParams, type RawParams } from './params.js';
import type { NativeResult } from './result.js';
import type { ApiVersion, Format, VersionPolicy } from './versions/policy.js';

/** A call of a public method: nobody is proven yet. */
export interface PublicCall<P> {
  readonly params: P;
  readonly request: RequestContext;
  readonly services: GatewayServices;
  readonly policy: VersionPolicy;
  readonly format: Format;
  /** What to report as the API's version: the dialect's own, in the client's spelling (choices.md row 6). */
  readonly api: string;
  /** Goes on in the version that an account has chosen, once it is proven; answers what to report as `api` then. */
  readonly speakTo: (userId: number) => Promise<string>;
  /** The version that the client asked for, as it spelt it; that of a REST path where the two differ. Empty when nothing is said. */
  readonly asked: string;
  /** True for HEAD: whoever answers bytes sends the headers alone. */
  readonly headersOnly: boolean;
}

/** A call by a proven caller. */
export interface CallerCall<P> extends PublicCall<P> {
  readonly request: CallerContext;
  readonly viewer: Viewer;
}

/** What every row says of its action. */
interface RowFacts {
  readonly versions: readonly ApiVersion[];
  /** True when success is bytes instead of a document. */
  readonly binary: boolean;
  /** Older names of parameters by today's name, the one that wins first. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** Names of the parameters that it reads; those of rules, which are numbered, are not among them. */
  readonly parameters: readonly string[];
}

/** An action that needs no proven caller. */
export interface PublicRow extends RowFacts {
  readonly kind: 'public';
  /** True for an action that speaks the dialect of the session that it names, as all actions of callers do. */
  readonly inSession: boolean;
  invoke(raw: RawParams, call: Omit<PublicCall<never>, 'params'>): Promise<NativeResult>;
}

/** An action of accounts from a level on. */
export interface CallerRow extends RowFacts {
  readonly kind: 'caller';
  /** Lowest access level (native README section 5). */
  readonly access: AccessLevel;
  /** True for a row that checks its level itself, after it has looked at parameters and feature. */
  readonly checksLevel?: true;
  invoke(raw: RawParams, call: Omit<CallerCall<never>, 'params'>): Promise<NativeResult>;
}

/** An action of the specification that this server does not serve yet, under the feature that its answer names. */
export interface MissingRow extends RowFacts {
  readonly kind: 'missing';
  readonly feature: string;
}

/** One action: versions, access level, parameters and what it does. */
export type MethodRow = PublicRow | CallerRow | MissingRow;

interface Definition<P, C> {
  readonly versions: readonly ApiVersion[];
  readonly params: z.ZodType<P>;
  /** Older names of parameters, by today's name; when several are sent the first listed wins. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly binary?: boolean;
  readonly run: (call: C) => Promise<NativeResult>;
}

/** The fields of an object, also of one that is looked at as a whole afterwards. */
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
});

/** A row for an action of proven callers. */
export const method = <P>(definition: Definition<P, CallerCall<P>> & { readonly access: AccessLevel }): CallerRow => ({
  kind: 'caller',
  ...factsOf(definition),
  access: definition.access,
  invoke: (raw, call) => definition.run({ ...call, params: readParams(definition.params, raw, definition.aliases) }),
});

/**
 * A row for one of the few actions that look at parameters first and at the caller's level last (native README section 5): `look` finds what is meant and
 * refuses what is off, then the level is checked, then `run` gets what was found.
 */
export const methodLookingFirst = <P, F>(
  definition: Omit<Definition<P, CallerCall<P>>, 'run'> & {
    readonly access: AccessLevel;
    readonly look: (call: CallerCall<P>) => Promise<F>;
    readonly run: (call: CallerCall<P>, found: F) => Promise<NativeResult>;
  },
): CallerRow => ({
  kind: 'caller',
  ...factsOf(definition),
  access: definition.access,
  checksLevel: true,
  invoke: async (raw, given) => {
    const call = { ...given, params: readParams(definition.params, raw, definition.aliases) };
    const found = await definition.look(call);
    requireLevel(call.request.caller, definition.access);
    return definition.run(call, found);
  },
});

/** A row for an action that anybody may call. */
export const publicMethod = <P>(definition: Definition<P, PublicCall<P>> & { readonly inSession?: boolean }): PublicRow => ({
  kind: 'public',
  ...factsOf(definition),
  inSession: definition.inSession ?? false,
  invoke: (raw, call) => definition.run({ ...call, params: readParams(definition.params, raw, definition.aliases) }),
});

/** A row for an action that is not served yet; it answers 4703 with the feature's name. */
export const notServedYet = (feature: string, versions: readonly ApiVersion[]): MissingRow => ({
  kind: 'missing',
  versions,
  binary: false,
  aliases: {},
  parameters: [],
  feature,
});
