import { Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { announcements } from './announcements.js';
import { dialogs } from './dialogs.js';
import styles from './overlays.module.css';

/** The open dialog, and the message about the last action, above every view. */
export const Overlays = (): ReactNode => {
  const dialog = useSyncExternalStore(dialogs.subscribe, dialogs.current);
  const sentence = useSyncExternalStore(announcements.subscribe, announcements.current);
  return (
    <>
      <Suspense>{dialog}</Suspense>
      <div className={styles['sentences']} role="status">
        {sentence !== undefined && <p className={styles['sentence']}>{sentence}</p>}
      </div>
    </>
  );
};
