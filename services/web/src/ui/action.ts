import type { LucideIcon } from 'lucide-react';
import { t } from '../messages/index.js';
import { announceFailure } from './announcements.js';

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
export const perform = async ({ run }: Pick<Action, 'run'>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    announceFailure(error);
  }
};

const KEY_NAMES: Readonly<Record<string, string>> = { ' ': t.spaceBar, arrowleft: '←', arrowright: '→' };

/** Name of a key for people. */
export const nameOfKey = (key: string): string => KEY_NAMES[key] ?? key.toUpperCase();
