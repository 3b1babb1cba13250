import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './pill-button.module.css';

/** A button with a sign and its name. */
export const PillButton = ({
  icon: Icon,
  label,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onPress: () => void;
}): ReactNode => (
  <button type="button" className={styles['button']} onClick={onPress}>
    <Icon size={18} aria-hidden /> {label}
  </button>
);
