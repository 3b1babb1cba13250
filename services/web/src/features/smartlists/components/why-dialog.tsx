import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { ruleTexts } from '../../../messages/rules.js';
import { Dialog } from '../../../ui/dialog.js';
import { Failure, Notice } from '../../../ui/view.js';
import { fulfilledQuery, ruleKindsQuery, searchQuery } from '../queries.js';
import { kindOf, sentenceOf } from '../rules.js';
import styles from './smartlists.module.css';

/** Tells which rules of a smartlist a song fulfils. */
export const WhyDialog = ({ id, song }: { readonly id: string; readonly song: Song }): ReactNode => {
  const kinds = useQuery(ruleKindsQuery);
  const search = useQuery(searchQuery(id));
  const rules = search.data?.rules ?? [];
  const fulfilled = useQuery({ ...fulfilledQuery(song.id, rules), enabled: search.data !== undefined });
  const failed = [kinds, search, fulfilled].find(({ error }) => error !== null);
  return (
    <Dialog title={t.whyIn(song.title)}>
      {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !fulfilled.data && <Notice>{t.loading}</Notice>}
      {search.data && fulfilled.data && kinds.data && (
        <>
          <p className={styles['lead']}>{search.data.operator === 'and' ? t.fulfilsAll : t.fulfilsOne}</p>
          <ul className={styles['reasons']}>
            {rules.map((rule, at) => {
              const isFulfilled = fulfilled.data[at] ?? false;
              const Sign = isFulfilled ? Check : X;
              return (
                <li key={JSON.stringify(rule)} data-fulfilled={isFulfilled}>
                  <Sign size={18} role="img" aria-label={isFulfilled ? t.fulfilled : t.notFulfilled} />{' '}
                  {sentenceOf(rule, kindOf(kinds.data, rule), ruleTexts)}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </Dialog>
  );
};
