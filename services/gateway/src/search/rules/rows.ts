import { sql, type SqlBool } from 'kysely';
import type { Viewer } from '../../reads/visibility/viewer.js';
import type { Family } from '../operators.js';
import { comparisonOf, textCondition, type Comparison } from '../operands.js';
import { not, type OptionList, type RuleCall, type RuleRow, type Widget } from '../rule.js';
import { col, type Related, type Subject } from '../subject.js';
import type { Condition, TextTest } from '../text-tests.js';

/** Subject and call that a condition is built from. */
export interface Making {
  readonly subject: Subject;
  readonly call: RuleCall;
}

/** A rule before it knows which type it belongs to, so that types share it. */
export interface RuleDraft extends Omit<RuleRow, 'compile' | 'group'> {
  readonly make: (making: Making) => Condition;
}

/** Options of a rule that differ from its family's defaults. */
export interface DraftOptions extends Partial<Pick<RuleRow, 'aliases' | 'gate' | 'volatile'>> {
  /** Text rules: an empty operand asks whether there is a text. */
  readonly optional?: boolean;
  /** Numeric rules: what the operand is multiplied by. */
  readonly factor?: number;
  readonly select?: OptionList;
}

const HIDDEN: Widget = { input: 'hidden' };

const draft = (
  name: string,
  label: string,
  kind: { readonly family: Family; readonly widget: Widget },
  { aliases = [], gate, volatile = false, select }: DraftOptions,
): Omit<RuleDraft, 'make'> => ({
  name,
  label,
  family: kind.family,
  widget: select ? { select } : kind.widget,
  aliases,
  volatile,
  ...(gate ? { gate } : {}),
});

/** A rule on texts: `lift` says whose. */
export const text = (
  name: string,
  label: string,
  lift: (test: TextTest, making: Making) => Condition,
  options: DraftOptions = {},
): RuleDraft => ({
  ...draft(name, label, { family: 'text', widget: { input: 'text' } }, options),
  make: (making) => textCondition(making.call.rule, (test) => lift(test, making), options.optional),
});

/** A rule on a number. */
export const num = (
  name: string,
  label: string,
  lift: (comparison: Comparison, making: Making) => Condition,
  options: DraftOptions = {},
): RuleDraft => ({
  ...draft(name, label, { family: 'numeric', widget: { input: 'number' } }, options),
  make: (making) => lift(comparisonOf(making.call.rule, options.factor), making),
});

/** A rule that is true or false of a thing; its first operator asks for true. */
export const bool = (name: string, label: string, holds: (making: Making) => Condition, options: DraftOptions = {}): RuleDraft => ({
  ...draft(name, label, { family: 'boolean', widget: HIDDEN }, options),
  make: (making) => (making.call.rule.operator === 'true' ? holds(making) : not(holds(making))),
});

/** A rule without a choice. */
export const isTrue = (name: string, label: string, holds: (making: Making) => Condition, options: DraftOptions = {}): RuleDraft => ({
  ...draft(name, label, { family: 'is_true', widget: HIDDEN }, options),
  make: holds,
});

/** A rule of any other family, which reads its operand itself. */
export const other = (
  name: string,
  label: string,
  kind: { readonly family: Family; readonly widget: Widget } & DraftOptions,
  make: (making: Making) => Condition,
): RuleDraft => ({ ...draft(name, label, kind, kind), make });

/** Is, or is not: a rule whose operand is one of a list. */
export const oneOf = (
  name: string,
  label: string,
  is: (making: Making) => Condition,
  options: DraftOptions & { readonly select: OptionList; readonly family?: Family },
): RuleDraft =>
  other(name, label, { ...options, family: options.family ?? 'boolean_numeric', widget: { select: options.select } }, (making) =>
    making.call.rule.operator === 'equal' ? is(making) : not(is(making)),
  );

/** A rule on a date. */
export const date = (name: string, label: string, make: (making: Making) => Condition, options: DraftOptions = {}): RuleDraft =>
  other(name, label, { ...options, family: 'date', widget: { input: 'datetime-local' } }, make);

/** A rule on how long ago something was; the clock makes it volatile. */
export const days = (name: string, label: string, make: (making: Making) => Condition): RuleDraft =>
  other(name, label, { volatile: true, family: 'days', widget: { input: 'number' } }, make);

/** Rules under one heading. */
export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly RuleDraft[];
}

/** Rules under a heading. */
export const group = (title: string, ...rules: readonly (RuleDraft | readonly RuleDraft[])[]): RuleGroup => ({
  title,
  rules: rules.flat(),
});

/** The rules of one type: drafts bound to what it searches. */
export const rulesOf = (subject: (viewer: Viewer) => Subject, groups: readonly RuleGroup[]): readonly RuleRow[] =>
  groups.flatMap(({ title, rules }) =>
    rules.map(({ make, ...row }) => ({
      ...row,
      group: title,
      compile: (call: RuleCall) => make({ subject: subject(call.viewer), call }),
    })),
  );

/** A column of the searched thing itself as a text without a sort key. */
export const ownText =
  (name: string) =>
  (test: TextTest): Condition =>
    test(col('t', name));

/** A column of the searched thing itself as a number. */
export const ownNumber =
  (name: string) =>
  (comparison: Comparison): Condition =>
    comparison.test(col('t', name));

const nameColumn: Readonly<Record<Related, readonly [name: string, key: string]>> = {
  song: ['title', 'title_sort'],
  album: ['name', 'name_sort'],
  artist: ['name', 'name_sort'],
};

/** The name of a song, an album or an artist under an alias, tested. */
export const nameTest =
  (kind: Related, test: TextTest) =>
  (alias: string): Condition =>
    test(col(alias, nameColumn[kind][0]), col(alias, nameColumn[kind][1]));

/** The name of what belongs to the searched thing, or of the thing itself. */
export const nameOf =
  (kind: Related) =>
  (test: TextTest, { subject }: Making): Condition =>
    subject.on[kind](nameTest(kind, test));

/** A plain text column of what belongs to the searched thing. */
export const textOf =
  (kind: Related, column: string) =>
  (test: TextTest, { subject }: Making): Condition =>
    subject.on[kind]((alias) => test(col(alias, column)));

/** Whole seconds, as objects show them. */
export const secondsOf = (column: string) => sql`round(${col('t', column)} / 1000.0)`;

/** Some row of a link table between the aliased thing and a named one. */
export const linked = (link: { readonly table: string; readonly owner: string; readonly named: string; readonly names: string }) => {
  const { table, owner, named, names } = link;
  return (alias: string, condition: (alias: string) => Condition): Condition =>
    sql<SqlBool>`${col(alias, 'id')} in (select ${col('l', owner)} from ${sql.table(table)} l join ${sql.table(names)} n on n.id = ${col('l', named)} where ${condition('n')})`;
};
