import { elementSlot } from './element-slot.js';

/** A bar that stands in the place of the player's, such as while an episode of a podcast is heard. */
export const otherBar = elementSlot();
