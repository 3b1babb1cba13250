import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { announce, announceFailure } from '../../../ui/announcements.js';
import { Dialog } from '../../../ui/dialog.js';
import { PillButton } from '../../../ui/pill-button.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

/** Shows a secret that the server tells only once. */
export const SecretDialog = ({ secret }: { readonly secret: string }): ReactNode => (
  <Dialog title={m.secretMade}>
    <p>{m.secretText}</p>
    <code className={styles['secret']}>{secret}</code>
    <PillButton
      icon={Copy}
      label={m.copy}
      onPress={() => void navigator.clipboard.writeText(secret).then(() => announce(m.copied), announceFailure)}
    />
  </Dialog>
);
