import type { ReactNode } from 'react';

/** Holds an element that one part of the page gives and another shows, by `useSyncExternalStore`. */
export const elementSlot = () => {
  let element: ReactNode;
  const watchers = new Set<() => void>();
  return {
    current: (): ReactNode => element,
    set: (next: ReactNode): void => {
      element = next;
      for (const watcher of watchers) watcher();
    },
    subscribe: (watcher: () => void): (() => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
};
