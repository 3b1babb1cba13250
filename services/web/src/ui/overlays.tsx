import { Suspense, type ReactNode } from 'react';
import { useWatched } from '../lib/watched.js';
import { announcement } from './action.js';
import { dialogs } from './dialogs.js';
import styles from './overlays.module.css';

/** The open dialog, and the message about the last action, above every view. */
export const Overlays = (): ReactNode => {
  const dialog = useWatched(dialogs);
  const sentence = useWatched(announcement);
  return (
    <>
      <Suspense>{dialog}</Suspense>
      <div className={styles['sentences']} role="status">
        {sentence !== undefined && <p className={styles['sentence']}>{sentence}</p>}
      </div>
    </>
  );
};
