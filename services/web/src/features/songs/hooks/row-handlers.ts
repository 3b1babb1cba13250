import { useRef, useState, type DragEvent, type HTMLAttributes, type KeyboardEvent } from 'react';
import type { Song } from '../../../lib/api.js';
import type { Pages } from '../../../lib/use-pages.js';
import { rate } from '../../marks/index.js';
import { rowAfter, type DropPlace } from '../drop-place.js';
import type { OpenMenu } from '../components/song-actions.js';
import type { SongSelection } from './use-selection.js';

const sideOf = ({ currentTarget, clientY }: DragEvent): DropPlace['side'] => {
  const { top, height } = currentTarget.getBoundingClientRect();
  return clientY < top + height / 2 ? 'before' : 'after';
};

/** Moves rows of a list by dragging them. */
const useDragging = (onReorder: RowActions['onReorder']) => {
  const [dragged, setDragged] = useState<number>();
  const [place, setPlace] = useState<DropPlace>();
  const end = (): void => {
    setDragged(undefined);
    setPlace(undefined);
  };
  return (row: number): HTMLAttributes<HTMLDivElement> & { readonly 'data-drop'?: DropPlace['side'] | undefined } =>
    onReorder
      ? {
          draggable: true,
          'data-drop': place?.row === row && dragged !== row ? place.side : undefined,
          onDragStart: ({ dataTransfer }) => {
            dataTransfer.effectAllowed = 'move';
            setDragged(row);
          },
          onDragOver: (event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            const side = sideOf(event);
            setPlace((before) => (before?.row === row && before.side === side ? before : { row, side }));
          },
          onDrop: (event) => {
            event.preventDefault();
            const to = dragged === undefined ? undefined : rowAfter(dragged, { row, side: sideOf(event) });
            if (dragged !== undefined && to !== undefined && to !== dragged) onReorder(dragged, to);
            end();
          },
          onDragEnd: end,
        }
      : {};
};

const LONG_MS = 450;

/** Selects a row by a long press of a finger. */
const useLongPress = (onLongPress: (row: number) => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTouch = useRef(false);
  const isLong = useRef(false);
  const end = (): void => clearTimeout(timer.current);
  return {
    /** Whether a finger has pressed last. */
    isTouch: (): boolean => isTouch.current,
    rowProps: (row: number): HTMLAttributes<HTMLDivElement> => ({
      onPointerDown: ({ pointerType }) => {
        isTouch.current = pointerType === 'touch';
        isLong.current = false;
        if (!isTouch.current) return;
        timer.current = setTimeout(() => {
          isLong.current = true;
          onLongPress(row);
        }, LONG_MS);
      },
      onPointerUp: end,
      onPointerCancel: end,
      onPointerMove: ({ movementX, movementY }) => Math.abs(movementX) + Math.abs(movementY) > 4 && end(),
      onClickCapture: (event) => {
        if (!isLong.current) return;
        // The press has selected the row; lifting the finger must not play it or take it back.
        isLong.current = false;
        event.stopPropagation();
        event.preventDefault();
      },
    }),
  };
};

const isControl = (target: EventTarget): boolean => (target as HTMLElement).closest('button, input, a') !== null;

/** Actions that gestures on a row lead to. */
export interface RowActions {
  readonly onPlay: (row: number) => void;
  readonly onMenu: (menu: Pick<OpenMenu, 'place' | 'row'>) => void;
  /** Omitted where nothing can be moved. */
  readonly onReorder: ((from: number, to: number) => void) | undefined;
}

/** Handlers of pointers on a row: a click selects, two play, the right button opens the menu, a long press of a finger selects, dragging moves. */
export const useRowProps = (selection: SongSelection, { onPlay, onMenu, onReorder }: RowActions) => {
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

/** Keys of a row: Enter plays, Space selects, 0 to 5 rate, Alt and an arrow move it in lists that can be ordered. */
export const rowKeys =
  ({ itemAt }: Pages<Song>, selection: SongSelection, { onPlay, onMenu, onReorder }: RowActions) =>
  (event: KeyboardEvent, row: number): void => {
    const song = itemAt(row);
    const move = (by: 1 | -1): void => {
      onReorder?.(row, row + by);
      event.currentTarget.querySelector<HTMLElement>(`[data-row="${row + by}"]`)?.focus();
    };
    const isOnRow = event.target instanceof HTMLElement && event.target.role === 'row';
    const onKey: Readonly<Record<string, (() => void) | undefined>> = {
      ...(isOnRow ? { Enter: () => onPlay(row), ' ': () => selection.toggle(row) } : {}),
      ...(event.altKey && onReorder ? { ArrowUp: () => move(-1), ArrowDown: () => move(1) } : {}),
      ...(event.ctrlKey || event.metaKey ? { a: () => selection.all() } : {}),
      Escape: selection.count > 0 ? () => selection.clear() : undefined,
      ContextMenu: () => onMenu({ place: event.target as HTMLElement, row: selection.has(row) ? undefined : row }),
    };
    const rating = /^[0-5]$/.test(event.key) && isOnRow && song ? () => void rate('song', [song.id], Number(event.key)) : undefined;
    const run = onKey[event.key] ?? rating;
    if (!run) return;
    event.preventDefault();
    run();
  };
