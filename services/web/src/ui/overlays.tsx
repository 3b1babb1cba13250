import { Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { announcements } from './announcements.js';
import { dialogs } from './dialogs.js';
import styles from './overlays.module.css';

/** What stands above every view: the open dialog, and the sentence about what has just happened. */
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
