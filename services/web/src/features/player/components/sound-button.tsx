import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { t } from '../../../messages/index.js';
import { IconButton } from '../../../ui/icon-button.js';
import styles from './player-bar.module.css';

const SoundPanel = lazy(() => import('./sound-panel.js'));

/** Opens what is heard, why, and in which quality. */
export const SoundButton = (): ReactNode => (
  <DialogTrigger>
    <IconButton icon={SlidersHorizontal} label={t.sound} />
    <Popover className={styles['popover'] ?? ''} placement="top">
      <Dialog aria-label={t.sound}>
        <Suspense fallback={<p>{t.loading}</p>}>
          <SoundPanel />
        </Suspense>
      </Dialog>
    </Popover>
  </DialogTrigger>
);
