import { useSyncExternalStore, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Dialog } from '../../../ui/dialog.js';
import { columnNames, shownColumns, toggleColumn, type Column } from '../columns.js';
import styles from './song-table.module.css';

/** Chooses the columns of the lists of songs in this browser. */
export const ColumnsDialog = (): ReactNode => {
  const shown = useSyncExternalStore(shownColumns.subscribe, shownColumns.current);
  return (
    <Dialog title={t.columns}>
      {(Object.entries(columnNames) as [Column, string][]).map(([column, name]) => (
        <label key={column} className={styles['check']}>
          <input type="checkbox" checked={shown.has(column)} onChange={() => toggleColumn(column)} /> {name}
        </label>
      ))}
    </Dialog>
  );
};
