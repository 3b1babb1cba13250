import { Copy } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { copyFrom } from '../lib/copy.js';
import { t } from '../messages/index.js';
import { announce, announceFailure } from './announcements.js';
import styles from './copy-field.module.css';
import { IconButton } from './icon-button.js';

/** A text to be copied, such as an address. `copyLabel` is the name of the button. */
export const CopyField = ({
  label,
  copyLabel,
  value,
}: {
  readonly label: string;
  readonly copyLabel: string;
  readonly value: string;
}): ReactNode => {
  const field = useRef<HTMLInputElement>(null);
  const copy = (): void => {
    if (field.current) copyFrom(field.current).then(() => announce(t.copied), announceFailure);
  };
  return (
    <span className={styles['field']}>
      <input ref={field} type="text" readOnly aria-label={label} value={value} onFocus={({ target }) => target.select()} />
      <IconButton icon={Copy} label={copyLabel} size={18} onPress={copy} />
    </span>
  );
};
