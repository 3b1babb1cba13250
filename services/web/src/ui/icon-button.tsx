import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { perform, type Action } from './action.js';
import styles from './icon-button.module.css';

/** A button that shows a sign; `label` is what screen readers say, and the tooltip. */
export const IconButton = ({
  icon: Icon,
  label,
  onPress,
  isOn,
  isFilled = false,
  size = 20,
  isInTabOrder = true,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onPress?: (button: HTMLElement) => void;
  /** For buttons that turn something on and off. */
  readonly isOn?: boolean;
  readonly isFilled?: boolean;
  readonly size?: number;
  /** False in rows of a list that do not have the focus. */
  readonly isInTabOrder?: boolean;
}): ReactNode => (
  <button
    type="button"
    className={styles['button']}
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    tabIndex={isInTabOrder ? undefined : -1}
    onClick={({ currentTarget }) => onPress?.(currentTarget)}
  >
    <Icon size={size} aria-hidden fill={isFilled ? 'currentColor' : 'none'} />
  </button>
);

/** A button for an action. */
export const ActionButton = ({ action, size = 20 }: { readonly action: Action; readonly size?: number | undefined }): ReactNode => (
  <IconButton
    icon={action.icon}
    label={action.name}
    size={size}
    onPress={() => void perform(action)}
    {...(action.isOn === undefined ? {} : { isOn: action.isOn })}
  />
);
