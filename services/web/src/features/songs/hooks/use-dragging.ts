import { useState, type DragEvent, type HTMLAttributes } from 'react';
import { rowAfter, type DropPlace } from '../drop-place.js';

const sideOf = ({ currentTarget, clientY }: DragEvent): DropPlace['side'] => {
  const { top, height } = currentTarget.getBoundingClientRect();
  return clientY < top + height / 2 ? 'before' : 'after';
};

/** Moves rows of a list by dragging them. @param onReorder omitted where nothing can be moved */
export const useDragging = (onReorder: ((from: number, to: number) => void) | undefined) => {
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
