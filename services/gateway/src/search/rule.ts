import { sql, type SqlBool } from 'kysely';
import type { Viewer } from '../reads/visibility/viewer.js';
import type { Family } from './operators.js';
import type { Condition, Value } from './text-tests.js';

/** One rule as it is stored: what a request's rule becomes, and what a smartlist keeps. */
export interface SearchRule {
  /** The rule's own name, not an alias. */
  readonly name: string;
  /** The operator's code, see {@link operators}. */
  readonly operator: string;
  readonly input: string;
  /** The metadata field; null for all other rules. */
  readonly subtype: string | null;
  /** Parameter name of the rule, for errors: `rule_1`. */
  readonly parameter?: string;
}

/** Operator that joins rules. */
export type Logic = 'and' | 'or';

/** Input of a rule's compilation. */
export interface RuleCall {
  readonly rule: SearchRule;
  readonly viewer: Viewer;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** A query for the ids of the songs of a smartlist; undefined when there is none of that number for the viewer. @throws Rejection for one that refers to itself */
  readonly smartlist: (id: number) => Value | undefined;
}

/** Features that some rules belong to; one that is off takes its rules out of `search_rules`. */
export type Gate = 'ratings' | 'licensing' | 'metadata' | 'waveform' | 'video';

/** The lists of choices that a rule's widget can offer. */
export type OptionList =
  | 'stars'
  | 'users'
  | 'playlists'
  | 'smartlists'
  | 'bitrates'
  | 'licenses'
  | 'catalogs'
  | 'metadata'
  | 'list-types'
  | 'states';

/** Input widget of the operand. */
export type Widget = { readonly input: 'text' | 'number' | 'hidden' | 'datetime-local' } | { readonly select: OptionList };

/** One rule of a type: a row of its table. */
export interface RuleRow {
  readonly name: string;
  readonly label: string;
  readonly family: Family;
  readonly widget: Widget;
  /** Heading under which clients group rules; empty for none. */
  readonly group: string;
  readonly aliases: readonly string[];
  readonly gate?: Gate;
  /** True when the answer depends on more than the catalogue: the caller, plays, the clock. It must not be kept then. */
  readonly volatile: boolean;
  /** The condition on `t`. @throws Rejection `input.invalid` for an operand that cannot be used */
  readonly compile: (call: RuleCall) => Condition;
}

/** The opposite of a condition; what is unknown does not hold, so its opposite does. */
export const not = (condition: Condition): Condition => sql<SqlBool>`(${condition}) is not true`;

export const always: Condition = sql<SqlBool>`true`;
export const never: Condition = sql<SqlBool>`false`;
