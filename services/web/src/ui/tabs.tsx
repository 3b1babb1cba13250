import type { ReactNode } from 'react';
import styles from './tabs.module.css';

/** Buttons of which one is on: they choose what is shown below. */
export const Tabs = <K extends string>({
  label,
  names,
  shown,
  onShow,
}: {
  readonly label: string;
  readonly names: Readonly<Record<K, string>>;
  readonly shown: K;
  readonly onShow: (name: K) => void;
}): ReactNode => (
  <div role="group" aria-label={label} className={styles['tabs']}>
    {(Object.entries(names) as [K, string][]).map(([key, name]) => (
      <button key={key} type="button" aria-pressed={key === shown} className={styles['tab']} onClick={() => onShow(key)}>
        {name}
      </button>
    ))}
  </div>
);
