import type { ReactNode } from 'react';
import { MenuItem } from 'react-aria-components';
import { nameOfKey, type Action } from './action.js';
import styles from './action-item.module.css';

/** An action in a menu, with its key. */
export const ActionItem = ({
  id,
  action,
  onAction,
}: {
  /** Unique in the menu. */
  readonly id: string;
  readonly action: Action;
  readonly onAction: () => void;
}): ReactNode => (
  <MenuItem id={id} className={styles['item'] ?? ''} textValue={action.name} onAction={onAction}>
    <action.icon size={16} aria-hidden /> <span>{action.name}</span>
    {action.key !== undefined && <kbd aria-hidden>{nameOfKey(action.key)}</kbd>}
  </MenuItem>
);
