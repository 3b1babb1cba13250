import { isFields, parsed } from '../../lib/kept.js';

/** Choices about the lyrics of a song. */
export interface LyricsSettings {
  /** How much later than they say the words are sung, s. */
  readonly shiftS: number;
  /** Name of the chosen text; undefined for the best. */
  readonly text: string | undefined;
}

const KEY = 'continuo-lyrics';
/** Songs whose choices are kept; the oldest are forgotten. */
const MOST_KEPT = 500;

const keptIn = (storage: Pick<Storage, 'getItem'>): readonly (readonly [songId: string, settings: unknown])[] => {
  const kept = parsed(storage.getItem(KEY));
  return Array.isArray(kept) ? kept.filter((entry) => Array.isArray(entry) && typeof entry[0] === 'string') : [];
};

/** Reads what was chosen for a song. */
export const settingsOf = (storage: Pick<Storage, 'getItem'>, songId: string): LyricsSettings => {
  const settings = keptIn(storage).find(([id]) => id === songId)?.[1];
  const { shiftS, text } = isFields(settings) ? settings : {};
  return {
    shiftS: typeof shiftS === 'number' && Number.isFinite(shiftS) ? shiftS : 0,
    text: typeof text === 'string' ? text : undefined,
  };
};

/** Keeps what was chosen for a song in this browser. */
export const keepSettings = (storage: Pick<Storage, 'getItem' | 'setItem'>, songId: string, settings: LyricsSettings): void => {
  const others = keptIn(storage).filter(([id]) => id !== songId);
  storage.setItem(KEY, JSON.stringify([[songId, settings], ...others].slice(0, MOST_KEPT)));
};
