import { useRef, type ReactNode } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { t } from '../../../messages/index.js';
import styles from './player-bar.module.css';
import SoundPanel from './sound-panel.js';

/** The sound panel above the button that opened it. Loaded when it is first opened. */
const SoundPopover = ({ button, onClose }: { readonly button: HTMLElement; readonly onClose: () => void }): ReactNode => {
  const trigger = useRef(button);
  return (
    <Popover
      className={styles['popover'] ?? ''}
      placement="top"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Dialog aria-label={t.sound}>
        <SoundPanel />
      </Dialog>
    </Popover>
  );
};

export default SoundPopover;
