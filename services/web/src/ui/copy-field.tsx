import { Copy } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { t } from '../messages/index.js';
import { announce, announceFailure } from './action.js';
import styles from './copy-field.module.css';
import { IconButton } from './buttons.js';

/** Copies a text that a field holds. Browsers lend their clipboard over HTTPS only; elsewhere the old command does it. @throws when nothing was copied */
const copyFrom = async (field: HTMLInputElement): Promise<void> => {
  field.select();
  if (isSecureContext) return navigator.clipboard.writeText(field.value);
  if (!document.execCommand('copy')) throw new Error('the browser does not copy');
};

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
      <IconButton icon={Copy} label={copyLabel} onPress={copy} />
    </span>
  );
};
