import type { LucideIcon } from 'lucide-react';
import { t } from '../messages/index.js';
import { ApiError } from '../lib/api.js';
import { watched } from '../lib/watched.js';

/** Something that can be done, as data: buttons, menus, shortcuts and the command palette offer the same. */
export interface Action {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Key that does it wherever the focus is, as `KeyboardEvent.key` names it, in small letters. */
  readonly key?: string;
  /** For what is turned on and off. */
  readonly isOn?: boolean;
  readonly run: () => unknown;
}

/** Does it; a failure is announced. */
export const perform = async (run: Action['run']): Promise<void> => {
  try {
    await run();
  } catch (error) {
    announceFailure(error);
  }
};

const KEY_NAMES: Readonly<Record<string, string>> = { ' ': t.spaceBar, arrowleft: '←', arrowright: '→' };

/** Name of a key for people. */
export const nameOfKey = (key: string): string => KEY_NAMES[key] ?? key.toUpperCase();

const SHOWN_FOR_MS = 6000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** The sentence that is shown now. */
export const announcement = watched<string | undefined>(undefined);

/** Shows a sentence for some seconds, such as after something was added; screen readers say it. */
export const announce = (text: string): void => {
  clearTimeout(timer);
  timer = setTimeout(() => announcement.set(undefined), SHOWN_FOR_MS);
  announcement.set(text);
};

/** Sentence for an error: the server's own, or that it does not answer. */
export const sentenceOf = (error: unknown): string => (error instanceof ApiError ? error.message : t.away);

/** Shows what has failed and why. */
export const announceFailure = (error: unknown): void => {
  console.error(error);
  announce(`${t.failed} ${sentenceOf(error)}`);
};
