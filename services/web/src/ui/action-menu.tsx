import { useRef, type ReactNode } from 'react';
import { Menu, Popover } from 'react-aria-components';
import { ActionItem } from './action-item.js';
import { perform, type Action } from './action.js';
import styles from './action-menu.module.css';

/** Where a menu opens: below a button, or where the pointer is, CSS px in the window. */
export type MenuPlace = HTMLElement | { readonly x: number; readonly y: number };

/** Menu of actions. Loaded when it is first opened. */
export const ActionMenu = ({
  label,
  actions,
  place,
  onClose,
}: {
  readonly label: string;
  readonly actions: readonly Action[];
  readonly place: MenuPlace;
  readonly onClose: () => void;
}): ReactNode => {
  const point = useRef<HTMLSpanElement>(null);
  const button = useRef(place instanceof HTMLElement ? place : null);
  return (
    <>
      {!(place instanceof HTMLElement) && <span ref={point} className={styles['point']} style={{ left: place.x, top: place.y }} />}
      <Popover
        className={styles['popover'] ?? ''}
        aria-label={label}
        triggerRef={place instanceof HTMLElement ? button : point}
        isOpen
        placement="bottom start"
        onOpenChange={(isOpen) => !isOpen && onClose()}
      >
        <Menu className={styles['menu'] ?? ''} aria-label={label} autoFocus="first" onClose={onClose}>
          {actions.map((action) => (
            <ActionItem key={action.name} id={action.name} action={action} onAction={() => void perform(action.run)} />
          ))}
        </Menu>
      </Popover>
    </>
  );
};
