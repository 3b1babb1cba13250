import { Copy } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { copyFrom } from '../../../lib/copy.js';
import { t } from '../../../messages/index.js';
import { announce, announceFailure } from '../../../ui/announcements.js';
import { IconButton } from '../../../ui/icon-button.js';
import styles from './shares.module.css';

/** The address of a share, to be copied. @param url null when the server cannot tell it any more */
export const Address = ({ url, name }: { readonly url: string | null; readonly name: string }): ReactNode => {
  const field = useRef<HTMLInputElement>(null);
  const copy = (): void => {
    if (field.current) copyFrom(field.current).then(() => announce(t.copied), announceFailure);
  };
  if (url === null) return <span className={styles['dim']}>{t.addressLost}</span>;
  return (
    <span className={styles['address']}>
      <input ref={field} type="text" readOnly aria-label={t.addressOf(name)} value={url} onFocus={({ target }) => target.select()} />
      <IconButton icon={Copy} label={t.copyAddress(name)} size={18} onPress={copy} />
    </span>
  );
};
