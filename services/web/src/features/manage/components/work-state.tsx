import type { ReactNode } from 'react';
import type { Managed } from '../api.js';
import { count } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

/** How far long work is, or how it ended. */
export const WorkState = ({
  work: { state, progress, problem },
}: {
  readonly work: Pick<Managed['Backup'], 'state' | 'progress' | 'problem'>;
}): ReactNode => {
  const isOpen = state === 'queued' || state === 'running';
  if (isOpen && progress && progress.total !== null)
    return (
      <label className={styles['progress']}>
        <progress max={Math.max(1, progress.total)} value={progress.done} />
        {m.progress(count(progress.done), count(progress.total))}
      </label>
    );
  if (isOpen && progress) return `${m.states[state]}: ${count(progress.done)}`;
  return problem === null ? m.states[state] : <span className={styles['bad']}>{`${m.states[state]}: ${problem}`}</span>;
};
