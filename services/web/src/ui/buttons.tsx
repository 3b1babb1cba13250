import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { perform, type Action } from './action.js';
import styles from './buttons.module.css';

/** A button that shows a sign; `label` is what screen readers say, and the tooltip. */
export const IconButton = ({
  icon: Icon,
  label,
  onPress,
  isOn,
  isFilled = false,
  size = 18,
  isInTabOrder = true,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Its errors are announced to the listener. */
  readonly onPress?: (button: HTMLElement) => unknown;
  /** For buttons that turn something on and off. */
  readonly isOn?: boolean;
  readonly isFilled?: boolean;
  readonly size?: number;
  /** False in rows of a list that do not have the focus. */
  readonly isInTabOrder?: boolean;
}): ReactNode => (
  <button
    type="button"
    className={styles['icon']}
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    tabIndex={isInTabOrder ? undefined : -1}
    onClick={({ currentTarget }) => void perform(() => onPress?.(currentTarget))}
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
    onPress={action.run}
    {...(action.isOn === undefined ? {} : { isOn: action.isOn })}
  />
);

/** A button with its name and perhaps a sign. Without `onPress` it submits its form. */
export const PillButton = ({
  icon: Icon,
  label,
  isMain = false,
  isGrave = false,
  isDisabled = false,
  onPress,
}: {
  readonly icon?: LucideIcon;
  readonly label: string;
  /** For the one button that does what the view is for. */
  readonly isMain?: boolean;
  /** For what cannot be undone. */
  readonly isGrave?: boolean;
  readonly isDisabled?: boolean;
  /** Its errors are announced to the listener. */
  readonly onPress?: () => unknown;
}): ReactNode => (
  <button
    type={onPress ? 'button' : 'submit'}
    className={styles['pill']}
    data-main={isGrave ? 'grave' : isMain || undefined}
    disabled={isDisabled}
    onClick={onPress && (() => void perform(onPress))}
  >
    {Icon && <Icon size={18} aria-hidden />} {label}
  </button>
);
