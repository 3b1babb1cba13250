import type { ReactNode } from 'react';
import { watched } from '../lib/watched.js';

/** The open dialog. */
export const dialogs = watched<ReactNode>(undefined);

/** Closes the dialog that is open. */
export const closeDialog = (): void => dialogs.set(undefined);

/** Opens a dialog in the place of the one that is open. */
export const openDialog = (dialog: ReactNode): void => dialogs.set(dialog);
