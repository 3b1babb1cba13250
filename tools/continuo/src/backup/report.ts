import { formatDuration, type Report } from '@continuo/operations';
import type { Terminal } from '../output/terminal.js';

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
