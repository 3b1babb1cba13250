import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../messages/index.js';
import { IconButton } from './buttons.js';
import styles from './side-panel.module.css';

/** A panel beside the view; on phones, over it. Escape closes it. */
export const SidePanel = ({
  title,
  tools,
  onClose,
  children,
}: {
  readonly title: string;
  readonly tools?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key is heard wherever the focus is within
  <aside
    className={styles['panel']}
    aria-label={title}
    onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && onClose()}
  >
    <header className={styles['head']}>
      <h2>{title}</h2>
      <span>
        {tools}
        <IconButton icon={X} label={t.closePanel(title)} size={20} onPress={onClose} />
      </span>
    </header>
    {children}
  </aside>
);
