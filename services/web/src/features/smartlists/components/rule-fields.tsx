import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { ruleTexts } from '../../../messages/rules.js';
import { Choice } from '../../../ui/fields.js';
import { IconButton } from '../../../ui/buttons.js';
import { choicesOf, inputOf, kindOf, newRule, type Rule, type RuleKind } from '../rules.js';
import styles from './smartlists.module.css';

/** Kinds of rules under the headings of their groups. */
const Kinds = ({ kinds }: { readonly kinds: readonly RuleKind[] }): ReactNode =>
  [...Map.groupBy(kinds, ({ title }) => title)].map(([title, group]) => (
    <optgroup key={title} label={ruleTexts.groups[title] ?? title}>
      {group.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </optgroup>
  ));

/** Fields of one rule, in the order of its sentence. */
export const RuleFields = ({
  rule,
  at,
  kinds,
  onChange,
  onRemove,
}: {
  readonly rule: Rule;
  /** Place of the rule, from 1. */
  readonly at: number;
  readonly kinds: readonly RuleKind[];
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}): ReactNode => {
  const kind = kindOf(kinds, rule);
  const choose = (name: string): void => {
    const chosen = kinds.find((one) => one.name === name);
    if (chosen) onChange({ ...newRule(chosen), ...(chosen.type === kind?.type ? { operator: rule.operator } : {}) });
  };
  const choices = kind && choicesOf(kind);
  const type = kind && inputOf(kind);
  const set = (change: Partial<Rule>): void => onChange({ ...rule, ...change });
  return (
    <li className={styles['rule']}>
      <select aria-label={t.ruleAt(at)} value={rule.name} onChange={({ target }) => choose(target.value)}>
        {!kind && <option value={rule.name}>{rule.name}</option>}
        <Kinds kinds={kinds} />
      </select>
      {choices && rule.subtype !== null && (
        <Choice label={t.fieldAt(at)} options={Object.entries(choices)} chosen={rule.subtype} onChoose={(subtype) => set({ subtype })} />
      )}
      {kind && (
        <Choice
          label={t.comparisonAt(at)}
          options={(ruleTexts.operators[kind.type] ?? []).map((words, number) => [String(number), words] as const)}
          chosen={rule.operator}
          onChoose={(operator) => set({ operator })}
        />
      )}
      {choices && rule.subtype === null && (
        <Choice label={t.valueAt(at)} options={Object.entries(choices)} chosen={rule.input} onChoose={(input) => set({ input })} />
      )}
      {type && (
        <input
          aria-label={t.valueAt(at)}
          type={type}
          step="any"
          required
          value={rule.input}
          onChange={({ target }) => set({ input: target.value })}
        />
      )}
      <IconButton icon={X} label={t.removeRule(at)} onPress={onRemove} />
    </li>
  );
};
