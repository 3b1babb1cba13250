import type { ReactNode } from 'react';
import { watched } from '../lib/watched.js';

/** A bar that stands in the place of the player's, such as while an episode of a podcast is heard. */
export const otherBar = watched<ReactNode>(undefined);
