import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';

/** Scroll positions by entry of the browser's history, CSS px. */
const positions = new Map<string, number>();

/** Scroll position of a view, kept for the way back to this entry of the history; a new visit begins at the top. */
export interface KeptPosition {
  readonly get: () => number;
  readonly set: (px: number) => void;
}

/** @param name tells the lists of one view apart */
export const useKeptPosition = (name: string): KeptPosition => {
  // oxlint-disable-next-line eslint/no-underscore-dangle -- the router names it so
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  return useMemo(() => {
    const key = `${entry} ${name}`;
    return { get: () => positions.get(key) ?? 0, set: (px) => positions.set(key, px) };
  }, [entry, name]);
};
