import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../lib/api.js';
import { t } from '../messages/index.js';
import styles from './states.module.css';

/** A sentence in the place of content. */
export const Notice = ({ children }: { readonly children: ReactNode }): ReactNode => <p className={styles['notice']}>{children}</p>;

/** Why something is not shown, and a way on. */
export const Failure = ({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }): ReactNode => (
  <div className={styles['notice']} role="alert">
    <p>{error instanceof ApiError ? error.message : t.away}</p>
    {onRetry && (
      <Button className={styles['button'] ?? ''} onPress={onRetry}>
        {t.again}
      </Button>
    )}
  </div>
);
