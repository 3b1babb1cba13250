import type { ReactNode } from 'react';
import { t } from '../messages/index.js';
import { isAway } from '../lib/api.js';
import { canKeep } from '../lib/offline.js';
import { sentenceOf } from './announcements.js';
import styles from './states.module.css';

/** A sentence in the place of content. */
export const Notice = ({ children }: { readonly children: ReactNode }): ReactNode => <p className={styles['notice']}>{children}</p>;

/** Why something is not shown, and a way on. */
export const Failure = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode => (
  <div className={styles['notice']} role="alert">
    <p>{sentenceOf(error)}</p>
    {onRetry && (
      <button type="button" className={styles['button']} onClick={onRetry}>
        {t.again}
      </button>
    )}
    {canKeep && isAway(error) && (
      <p>
        <a href="#/offline">{t.seeOffline}</a>
      </p>
    )}
  </div>
);

type Listed = readonly unknown[] | { readonly total: number } | object;

/** That an answer of the server is on its way, why it is not there, or that it is an empty list; nothing else. */
export const QueryState = ({
  of: { data, error, refetch },
  emptyText,
}: {
  readonly of: { readonly data: Listed | undefined; readonly error: unknown; readonly refetch: () => unknown };
  readonly emptyText?: string;
}): ReactNode => {
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Notice>{t.loading}</Notice>;
  const isEmpty = Array.isArray(data) ? data.length === 0 : 'total' in data && data.total === 0;
  return isEmpty && emptyText !== undefined && <Notice>{emptyText}</Notice>;
};
