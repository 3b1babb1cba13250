import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './pill-button.module.css';

/** A button with a sign and its name. Without `onPress` it submits its form. */
export const PillButton = ({
  icon: Icon,
  label,
  isMain = false,
  isDisabled = false,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  /** For the one button that does what the view is for. */
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly onPress?: () => void;
}): ReactNode => (
  <button
    type={onPress ? 'button' : 'submit'}
    className={styles['button']}
    data-main={isMain || undefined}
    disabled={isDisabled}
    onClick={onPress}
  >
    <Icon size={18} aria-hidden /> {label}
  </button>
);
