import type { ReactNode } from 'react';
import { useWatched } from '../../../lib/watched.js';
import { t } from '../../../messages/index.js';
import { Check } from '../../../ui/fields.js';
import { Dialog } from '../../../ui/dialog.js';
import { columnNames, columns, shownColumns, toggleColumn } from '../columns.js';

/** Chooses the columns of the lists of songs in this browser. */
export const ColumnsDialog = (): ReactNode => {
  const shown = useWatched(shownColumns);
  return (
    <Dialog title={t.columns}>
      {columnNames.map((column) => (
        <Check key={column} label={columns[column].name} isOn={shown.has(column)} onChange={() => toggleColumn(column)} />
      ))}
    </Dialog>
  );
};
