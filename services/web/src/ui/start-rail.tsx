import type { ReactNode } from 'react';
import type { ListStart } from '../lib/joined-starts.js';
import { t } from '../messages/index.js';
import styles from './start-rail.module.css';

/** Letters or years of a long list; each leads to its first entry. */
export const StartRail = ({
  label,
  starts,
  onChoose,
}: {
  /** Name of the list. */
  readonly label: string;
  readonly starts: readonly ListStart[];
  readonly onChoose: (index: number) => void;
}): ReactNode => (
  <nav className={styles['rail']} aria-label={t.jumpIn(label)}>
    {starts.map(({ name, index }) => (
      <button key={index} type="button" aria-label={t.jumpTo(name)} onClick={() => onChoose(index)}>
        {name}
      </button>
    ))}
  </nav>
);
