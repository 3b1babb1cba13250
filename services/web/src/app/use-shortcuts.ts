import { createElement, useEffect } from 'react';
import { isForPlayer, isPlayerKey } from '../features/player/index.js';
import { perform } from '../ui/action.js';
import { dialogs, openDialog } from '../ui/dialogs.js';
import { pageActions, type PageNeeds } from './actions.js';
import { areKeysOn } from './key-setting.js';
import { CommandPalette } from './lazy-dialogs.js';

/** Selector of what takes letters itself. */
const TYPED_INTO = 'input:not([type=range], [type=checkbox]), select, textarea, [contenteditable], dialog, [role=menu], [role=dialog]';

const isForPage = ({ target, defaultPrevented, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  !(defaultPrevented || altKey || ctrlKey || metaKey) && !(target instanceof Element && target.closest(TYPED_INTO));

/** Keys that do something wherever the focus is: Ctrl-K or ⌘K opens the palette, others run the action that names them. */
export const useShortcuts = (needs: PageNeeds): void =>
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      // Whoever presses Ctrl is perhaps about to open the palette: it is there at once then.
      if (key === 'control' || key === 'meta') void CommandPalette.preload?.();
      if (dialogs.current() !== undefined) return;
      if (key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        openDialog(createElement(CommandPalette, { needs }));
        return;
      }
      if (isPlayerKey(key) ? !isForPlayer(event) : !(isForPage(event) && areKeysOn())) return;
      const action = Object.values(pageActions(needs))
        .flat()
        .find((one) => one.key === key);
      if (!action) return;
      event.preventDefault();
      if (!event.repeat) void perform(action.run);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
