import { useRef, type HTMLAttributes } from 'react';

const LONG_MS = 450;

/** Selects a row by a long press of a finger. */
export const useLongPress = (onLongPress: (row: number) => void) => {
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
