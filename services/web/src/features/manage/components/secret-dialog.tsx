import type { ReactNode } from 'react';
import { CopyField } from '../../../ui/copy-field.js';
import { Dialog } from '../../../ui/dialog.js';
import { m } from '../messages/index.js';

/** Shows a secret that the server tells only once. */
export const SecretDialog = ({ secret, text = m.secretText }: { readonly secret: string; readonly text?: string }): ReactNode => (
  <Dialog title={m.secretMade}>
    <p>{text}</p>
    <CopyField label={m.secretMade} copyLabel={m.copy} value={secret} />
  </Dialog>
);
