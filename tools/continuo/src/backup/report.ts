import { formatDuration } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';

/** `812 B`, `4.2 kB`, `1.3 GB`. */
export const formatBytes = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return power === 0 ? `${bytes} B` : `${(bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
};

/** Tells a person, or with `--json` a program, what is done. */
export interface Report {
  /** A part that is done, with what came of it. */
  readonly done: (part: string, outcome: string) => void;
  /** Something that the operator should know. */
  readonly note: (sentence: string) => void;
  /** Where a part is; shown on terminals alone, and gone with the next line. */
  readonly moving: (text: string) => void;
  /** The last word: sentences for a person, or one JSON object. */
  readonly end: (sentences: readonly string[], facts: Readonly<Record<string, unknown>>) => void;
}

const CLEAR = '\r\u001b[2K';
const WIDTH = 12;

/** A report on the terminal; with `json` nothing but the object at the end is printed. */
export const reportOn = (terminal: Terminal, json: boolean): Report => {
  let since = performance.now();
  const inPlace = !json && terminal.moving.isTTY;
  const line = (text: string): void => {
    if (inPlace) terminal.moving.write(CLEAR);
    if (!json) terminal.print(text);
  };
  return {
    done: (part, outcome) => {
      const now = performance.now();
      line(`${part.padEnd(WIDTH)} ${outcome}, ${formatDuration(now - since)}`);
      since = now;
    },
    note: line,
    moving: (text) => {
      if (inPlace) terminal.moving.write(CLEAR + text);
    },
    end: (sentences, facts) => {
      if (json) terminal.print(JSON.stringify(facts));
      else for (const sentence of sentences) line(sentence);
    },
  };
};
