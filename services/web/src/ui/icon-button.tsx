import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import styles from './icon-button.module.css';

/** A button that shows a sign; `label` is what screen readers say, and the tooltip. */
export const IconButton = ({
  icon: Icon,
  label,
  onPress,
  isOn,
  size = 20,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onPress?: () => void;
  /** For buttons that turn something on and off. */
  readonly isOn?: boolean;
  readonly size?: number;
}): ReactNode => (
  <Button
    className={styles['button'] ?? ''}
    aria-label={label}
    {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
    {...(onPress ? { onPress } : {})}
  >
    <Icon size={size} aria-hidden fill={isOn ? 'currentColor' : 'none'} />
  </Button>
);
