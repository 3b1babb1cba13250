import { useState, type HTMLAttributes } from 'react';

/** Moves rows of a list by dragging them. @param onReorder omitted where nothing can be moved */
export const useDragging = (onReorder: ((from: number, to: number) => void) | undefined) => {
  const [dragged, setDragged] = useState<number>();
  const [target, setTarget] = useState<number>();
  const end = (): void => {
    setDragged(undefined);
    setTarget(undefined);
  };
  return (row: number): HTMLAttributes<HTMLDivElement> & { readonly 'data-drop'?: '' | undefined } =>
    onReorder
      ? {
          draggable: true,
          'data-drop': target === row && dragged !== row ? '' : undefined,
          onDragStart: ({ dataTransfer }) => {
            dataTransfer.effectAllowed = 'move';
            setDragged(row);
          },
          onDragOver: (event) => {
            if (dragged === undefined) return;
            event.preventDefault();
            setTarget(row);
          },
          onDrop: (event) => {
            event.preventDefault();
            if (dragged !== undefined && dragged !== row) onReorder(dragged, dragged < row ? row - 1 : row);
            end();
          },
          onDragEnd: end,
        }
      : {};
};
