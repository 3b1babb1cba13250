import type { HTMLAttributes } from 'react';
import type { OpenMenu } from '../components/song-actions.js';
import { useDragging } from './use-dragging.js';
import { useLongPress } from './use-long-press.js';
import type { SongSelection } from './use-selection.js';

const isControl = (target: EventTarget): boolean => (target as HTMLElement).closest('button, input, a') !== null;

/** Handlers of pointers on a row: a click selects, two play, the right button opens the menu, a long press of a finger selects, dragging moves. */
export const useRowProps = (
  selection: SongSelection,
  {
    onPlay,
    onMenu,
    onReorder,
  }: {
    readonly onPlay: (row: number) => void;
    readonly onMenu: (menu: OpenMenu) => void;
    readonly onReorder: ((from: number, to: number) => void) | undefined;
  },
) => {
  const dragging = useDragging(onReorder);
  const longPress = useLongPress(selection.toggle);
  return (row: number): HTMLAttributes<HTMLDivElement> => ({
    'aria-selected': selection.count > 0 ? selection.has(row) : undefined,
    onClick: (event) => {
      if (isControl(event.target)) return;
      if (!longPress.isTouch()) selection.choose(row, event);
      else if (selection.count > 0) selection.toggle(row);
      else onPlay(row);
    },
    onDoubleClick: ({ target }) => !isControl(target) && onPlay(row),
    onContextMenu: (event) => {
      event.preventDefault();
      if (!longPress.isTouch()) onMenu({ place: { x: event.clientX, y: event.clientY }, row: selection.has(row) ? undefined : row });
    },
    ...longPress.rowProps(row),
    ...dragging(row),
  });
};
