import { ApiError } from '../lib/api.js';
import { t } from '../messages/index.js';

const SHOWN_FOR_MS = 6000;

let sentence: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();

const set = (text: string | undefined): void => {
  sentence = text;
  for (const watcher of watchers) watcher();
};

/** Shows a sentence for some seconds, such as after something was added; screen readers say it. */
export const announce = (text: string): void => {
  clearTimeout(timer);
  timer = setTimeout(() => set(undefined), SHOWN_FOR_MS);
  set(text);
};

/** Sentence for an error: the server's own, or that it does not answer. */
export const sentenceOf = (error: unknown): string => (error instanceof ApiError ? error.message : t.away);

/** Shows what has failed and why. */
export const announceFailure = (error: unknown): void => {
  console.error(error);
  announce(`${t.failed} ${sentenceOf(error)}`);
};

/** The sentence that is shown now, for `useSyncExternalStore`. */
export const announcements = {
  current: (): string | undefined => sentence,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
};
