/** A text that a video shows for a time. */
export interface Cue {
  /** From the beginning of the video. */
  readonly startMs: number;
  readonly endMs: number;
  /** Lines joined by `\n`; of markup only `<i>`, `<b>` and `<u>` with their ends. */
  readonly text: string;
}

/** Most cues of one video; further ones are left out. */
export const MAX_CUES = 50_000;
const MAX_CUE_CHARS = 4000;

const KEPT_TAG = /^<\/?[ibu]>$/i;

/** Text without markup other than that of {@link Cue.text}. */
export const plainMarkup = (text: string): string =>
  text
    .slice(0, MAX_CUE_CHARS)
    .replace(/<[^<>\n]{0,200}>/g, (tag) => (KEPT_TAG.test(tag) ? tag.toLowerCase() : ''))
    .replace(/\{\\[^{}\n]{0,200}\}/g, '');

/** Cues in order of time, without empty ones. */
export const inShownOrder = (cues: readonly Cue[]): Cue[] =>
  cues
    .filter(({ startMs, endMs, text }) => endMs > startMs && text.trim() !== '')
    .slice(0, MAX_CUES)
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
