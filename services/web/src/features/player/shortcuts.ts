import type { Player } from './player.js';

/** Selector of elements that handle the space bar themselves. */
const CONTROLS =
  'a, button, input, select, textarea, summary, audio, video, [contenteditable], [role=slider], [role=option], [role=menuitem], [role=dialog], [role=row]';

/** The space bar plays and pauses, unless it means something where the focus is. */
export const followShortcuts = (player: Player): void =>
  document.addEventListener('keydown', (event) => {
    const { key, target, defaultPrevented, repeat, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (key !== ' ' || defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return;
    if (target instanceof Element && target.closest(CONTROLS)) return;
    event.preventDefault();
    if (!repeat) void player.toggle();
  });
