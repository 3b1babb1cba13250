import { useSyncExternalStore } from 'react';

/** A value that several parts of the page watch. */
export interface Watched<T> {
  readonly current: () => T;
  /** Calls back after each change; returns how to end that. */
  readonly subscribe: (watcher: () => void) => () => void;
  readonly set: (next: T) => void;
}

export const watched = <T>(first: T): Watched<T> => {
  const watchers = new Set<() => void>();
  let value = first;
  return {
    current: () => value,
    subscribe: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    set: (next) => {
      value = next;
      for (const watcher of watchers) watcher();
    },
  };
};

/** The value, for components that are to follow it. */
export const useWatched = <T>({ subscribe, current }: Pick<Watched<T>, 'subscribe' | 'current'>): T =>
  useSyncExternalStore(subscribe, current);
