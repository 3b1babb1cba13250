import type { ReadDatabase } from '../reads/database/database.js';
import type { Viewer } from '../reads/visibility/viewer.js';
import type { Gate, OptionList, RuleRow } from './rule.js';
import { typeDefinitions, type SearchType } from './search-types.js';
import { widgetOptions, type Option } from './widget-options.js';

/** A rule as clients are told of it. */
export interface ListedRule {
  readonly name: string;
  readonly label: string;
  /** The operator family. */
  readonly type: string;
  /** Kind of widget, and the kind of input or the choices. */
  readonly widget: readonly ['input', string] | readonly ['select' | 'subtypes', readonly Option[]];
  /** Heading of the rule's group. */
  readonly title: string;
}

/** Enabled features. */
export type Features = Readonly<Record<Gate, boolean>>;

const choicesOf = ({ widget }: RuleRow): OptionList | undefined => ('select' in widget ? widget.select : undefined);

const listed = (row: RuleRow, options: ReadonlyMap<OptionList, readonly Option[]>): ListedRule[] => {
  const { name, label, family, widget, group } = row;
  const facts = { name, label, type: family, title: group };
  if ('input' in widget) return [{ ...facts, widget: ['input', widget.input] }];
  const choices = options.get(widget.select) ?? [];
  if (choices.length === 0) return [];
  return [{ ...facts, widget: [widget.select === 'metadata' ? 'subtypes' : 'select', choices] }];
};

/** The rules that a type understands, without those whose feature is off or that would offer nothing to choose from. */
export const listRules = async (db: ReadDatabase, viewer: Viewer, type: SearchType, features: Features): Promise<ListedRule[]> => {
  const rows = typeDefinitions[type].rules.filter(({ gate }) => gate === undefined || features[gate]);
  const options = await widgetOptions(db, viewer, new Set(rows.flatMap((row) => choicesOf(row) ?? [])));
  return rows.flatMap((row) => listed(row, options));
};
