import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { ruleTexts } from '../../../messages/rules.js';
import { Failure } from '../../../ui/view.js';
import { ruleKindsQuery, searchQuery } from '../queries.js';
import { kindOf, sentenceOf } from '../rules.js';
import styles from './smartlists.module.css';

/** Rules of a smartlist as sentences. */
export const SearchSentences = ({ id }: { readonly id: string }): ReactNode => {
  const kinds = useQuery(ruleKindsQuery);
  const { data: search, error, refetch } = useQuery(searchQuery(id));
  if (error ?? kinds.error) return <Failure error={error ?? kinds.error} onRetry={() => void Promise.all([refetch(), kinds.refetch()])} />;
  if (!search || !kinds.data) return null;
  const sentences = search.rules.map((rule) => sentenceOf(rule, kindOf(kinds.data, rule), ruleTexts));
  return (
    <p className={styles['sentences']}>
      {sentences.join(search.operator === 'and' ? t.rulesAnd : t.rulesOr)}
      {search.limit > 0 && ` · ${t.atMostSongs(search.limit)}`}
      {search.isRandom && ` · ${t.randomOrder}`}
    </p>
  );
};
