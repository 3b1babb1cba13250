import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { perform, type Action } from '../../../ui/action.js';
import { IconButton } from '../../../ui/icon-button.js';
import styles from './selection-bar.module.css';

/** How many songs are selected, and what can be done with them. */
export const SelectionBar = ({
  count,
  actions,
  onClear,
}: {
  readonly count: number;
  readonly actions: readonly Action[];
  readonly onClear: () => void;
}): ReactNode => (
  <div className={styles['bar']} role="toolbar" aria-label={t.selection}>
    <IconButton icon={X} label={t.clearSelection} size={18} onPress={onClear} />
    <span className={styles['count']} role="status">
      {t.selectedCount(count)}
    </span>
    {actions.map((action) => (
      <button
        key={action.name}
        type="button"
        className={styles['action']}
        title={action.name}
        aria-label={action.name}
        onClick={() => void perform(action)}
      >
        <action.icon size={18} aria-hidden /> <span>{action.name}</span>
      </button>
    ))}
  </div>
);
