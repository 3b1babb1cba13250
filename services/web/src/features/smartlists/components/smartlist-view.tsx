import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, Plus } from 'lucide-react';
import { useDeferredValue, useState, type ReactNode, type SyntheticEvent } from 'react';
import { api, content } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { sentenceOf as sentenceOfError } from '../../../ui/action.js';
import { Check as CheckBox, Choice } from '../../../ui/fields.js';
import { PillButton } from '../../../ui/buttons.js';
import { Failure, Notice, View } from '../../../ui/view.js';
import { foundQuery, ruleKindsQuery, saveSmartlist, searchQuery, type SmartlistTerms } from '../queries.js';
import { isComplete, kindOf, newRule, type Rule, type RuleKind } from '../rules.js';
import { RuleFields } from './rule-fields.js';
import styles from './smartlists.module.css';

const LIMIT = 100;
const LIMIT_MAX = 1_000_000;
const FIRST_RULE = 'genre';
const OPERATORS = [
  ['and', t.allRules],
  ['or', t.anyRule],
] as const;

/** How many songs the rules find at the moment, and the first of them. */
const Found = ({ terms, kinds }: { readonly terms: SmartlistTerms; readonly kinds: readonly RuleKind[] }): ReactNode => {
  const complete = terms.rules.filter((rule) => isComplete(rule, kindOf(kinds, rule)));
  const search = useDeferredValue({ rules: complete, operator: terms.operator });
  const { data, error } = useQuery({ ...foundQuery(search), enabled: search.rules.length > 0, placeholderData: keepPreviousData });
  if (complete.length === 0) return <output className={styles['found']}>{t.noRulesYet}</output>;
  if (error) return <output className={styles['found']}>{sentenceOfError(error)}</output>;
  return (
    <output className={styles['found']}>
      {data && t.rulesFind(data.total)}
      {data && data.total > 0 && ` ${t.suchAs(data.titles)}`}
    </output>
  );
};

const Limits = ({
  terms,
  onChange,
}: {
  readonly terms: SmartlistTerms;
  readonly onChange: (change: Partial<SmartlistTerms>) => void;
}): ReactNode => (
  <fieldset className={styles['limits']}>
    <legend>{t.theList}</legend>
    <CheckBox label={t.limited} isOn={terms.limit > 0} onChange={(isOn) => onChange({ limit: isOn ? LIMIT : 0 })} />
    {terms.limit > 0 && (
      <input
        type="number"
        aria-label={t.mostSongs}
        min={1}
        max={LIMIT_MAX}
        required
        value={terms.limit}
        onChange={({ target }) => onChange({ limit: Math.max(1, target.valueAsNumber || 1) })}
      />
    )}
    <CheckBox label={t.randomOrder} isOn={terms.isRandom} onChange={(isRandom) => onChange({ isRandom })} />
    <CheckBox label={t.isPublic} isOn={terms.isPublic} onChange={(isPublic) => onChange({ isPublic })} />
  </fieldset>
);

const Rules = ({
  terms,
  kinds,
  onChange,
}: {
  readonly terms: SmartlistTerms;
  readonly kinds: readonly RuleKind[];
  readonly onChange: (rules: readonly Rule[]) => void;
}): ReactNode => {
  const { rules } = terms;
  const first = kinds.find(({ name }) => name === FIRST_RULE) ?? kinds[0];
  return (
    <>
      <ul className={styles['rules']}>
        {rules.map((rule, at) => (
          <RuleFields
            // Rules have nothing else that stays while they are changed.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            rule={rule}
            at={at + 1}
            kinds={kinds}
            onChange={(changed) => onChange(rules.with(at, changed))}
            onRemove={() => onChange(rules.toSpliced(at, 1))}
          />
        ))}
      </ul>
      <PillButton icon={Plus} label={t.addRule} onPress={() => first && onChange([...rules, newRule(first)])} />
    </>
  );
};

const Editor = ({
  id,
  known,
  kinds,
}: {
  readonly id: string | undefined;
  readonly known: SmartlistTerms;
  readonly kinds: readonly RuleKind[];
}): ReactNode => {
  const [terms, setTerms] = useState(known);
  const [failure, setFailure] = useState<unknown>();
  const navigate = useNavigate();
  const change = (changes: Partial<SmartlistTerms>): void => setTerms((before) => ({ ...before, ...changes }));
  const save = async (): Promise<void> => {
    // The server refuses what changes nothing.
    const isChanged = JSON.stringify(terms) !== JSON.stringify(known);
    const saved = isChanged || id === undefined ? await saveSmartlist(id, terms) : id;
    await navigate({ to: '/playlists/$id', params: { id: saved } });
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    save().catch(setFailure);
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <label className={styles['named']}>
        {t.smartlistName}
        <input required maxLength={255} value={terms.name} onChange={({ target }) => change({ name: target.value })} />
      </label>
      <p className={styles['lead']}>
        {t.songsThat}{' '}
        <Choice label={t.howRulesJoin} options={OPERATORS} chosen={terms.operator} onChoose={(operator) => change({ operator })} />
      </p>
      <Rules terms={terms} kinds={kinds} onChange={(rules) => change({ rules })} />
      <Limits terms={terms} onChange={change} />
      <Found terms={terms} kinds={kinds} />
      {failure !== undefined && <p role="alert">{sentenceOfError(failure)}</p>}
      <PillButton icon={Check} label={t.save} isMain isDisabled={terms.rules.length === 0} />
    </form>
  );
};

const NEW: SmartlistTerms = { name: '', isPublic: false, operator: 'and', isRandom: false, limit: 0, rules: [] };

const termsQuery = (id: string | undefined) => ({
  queryKey: ['playlist', id, 'terms'],
  // What is typed must not be replaced.
  staleTime: 0,
  gcTime: 0,
  queryFn: async (): Promise<SmartlistTerms> => {
    if (id === undefined) return NEW;
    const { name, type } = await content(api.GET('/smartlists/{smartlist_id}', { params: { path: { smartlist_id: id } } }));
    return { name, isPublic: type === 'public', ...(await searchQuery(id).queryFn()) };
  },
});

/** Makes a smartlist or changes one, as sentences. @param id undefined for a new one */
export const SmartlistView = ({ id }: { readonly id?: string }): ReactNode => {
  const kinds = useQuery(ruleKindsQuery);
  const terms = useQuery(termsQuery(id));
  const error = kinds.error ?? terms.error;
  const first = kinds.data?.find(({ name }) => name === FIRST_RULE);
  return (
    <View title={id === undefined ? t.newSmartlist : t.changeSmartlist}>
      {error && <Failure error={error} onRetry={() => void Promise.all([kinds.refetch(), terms.refetch()])} />}
      {!error && !(kinds.data && terms.data) && <Notice>{t.loading}</Notice>}
      {kinds.data && terms.data && (
        <Editor id={id} known={id === undefined && first ? { ...terms.data, rules: [newRule(first)] } : terms.data} kinds={kinds.data} />
      )}
    </View>
  );
};
