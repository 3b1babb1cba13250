/** Selector of elements that handle the space bar themselves. */
const CONTROLS =
  'a, button, input, select, textarea, summary, audio, video, [contenteditable], [role=slider], [role=option], [role=menuitem], [role=dialog], [role=row]';
/** Selector of elements that handle arrow keys to the sides themselves, besides those that prevent what else they do. */
const MOVED_IN = 'input, select, textarea, audio, video, [contenteditable], [role=slider], [role=menu], [role=dialog]';

const HANDLED_BY: Readonly<Record<string, string>> = { ' ': CONTROLS, arrowleft: MOVED_IN, arrowright: MOVED_IN };

/** True for keys of the player that are no letters or signs: the space bar and the arrows to the sides. */
export const isPlayerKey = (key: string): boolean => Object.hasOwn(HANDLED_BY, key.toLowerCase());

/** True for such a key where it means nothing else. */
export const isForPlayer = ({ key, target, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean => {
  const handled = HANDLED_BY[key.toLowerCase()];
  const isTaken = defaultPrevented || altKey || ctrlKey || metaKey || shiftKey;
  return handled !== undefined && !isTaken && !(target instanceof Element && target.closest(handled));
};
