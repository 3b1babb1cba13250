import type { ReactNode } from 'react';
import { t } from '../messages/index.js';
import { Dialog } from './dialog.js';

/** Asks before something is deleted for good. @param text says what goes with it */
export const DeleteDialog = ({
  title,
  text,
  onDelete,
}: {
  readonly title: string;
  readonly text: string;
  readonly onDelete: () => Promise<void>;
}): ReactNode => (
  <Dialog title={title} submitLabel={t.delete} isGrave onSubmit={onDelete}>
    <p>{text}</p>
  </Dialog>
);
