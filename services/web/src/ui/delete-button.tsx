import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../messages/index.js';
import { Dialog } from './dialog.js';
import { openDialog } from './dialogs.js';
import { IconButton } from './buttons.js';

/** A button that deletes something for good, after it has asked. @param text says what goes with it */
export const DeleteButton = ({
  label,
  text,
  isInTabOrder = true,
  onDelete,
}: {
  readonly label: string;
  readonly text: string;
  readonly isInTabOrder?: boolean;
  readonly onDelete: () => Promise<void>;
}): ReactNode => {
  const ask = (): void =>
    openDialog(
      <Dialog title={label} submitLabel={t.delete} isGrave onSubmit={onDelete}>
        <p>{text}</p>
      </Dialog>,
    );
  return <IconButton icon={Trash2} label={label} isInTabOrder={isInTabOrder} onPress={ask} />;
};
