/** Selector of elements that handle the space bar themselves. */
const CONTROLS =
  'a, button, input, select, textarea, summary, audio, video, [contenteditable], [role=slider], [role=option], [role=menuitem], [role=dialog], [role=row]';

/** True for the space bar where it means nothing else. */
export const isPlayKey = ({ key, target, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  key === ' ' &&
  !(defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) &&
  !(target instanceof Element && target.closest(CONTROLS));
