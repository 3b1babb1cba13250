import type { ReactNode } from 'react';

let open: ReactNode;
const watchers = new Set<() => void>();

const set = (dialog: ReactNode): void => {
  open = dialog;
  for (const watcher of watchers) watcher();
};

/** Closes the dialog that is open. */
export const closeDialog = (): void => set(undefined);

/** Opens a dialog in the place of the one that is open. */
export const openDialog = (dialog: ReactNode): void => set(dialog);

/** The open dialog, for `useSyncExternalStore`. */
export const dialogs = {
  current: (): ReactNode => open,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
};
