import { inShownOrder, MAX_CUES, plainMarkup, type Cue } from './cue.js';

const TIME = /^\s*(\d{1,2}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})\s*$/;
/** A line that draws shapes instead of showing text. */
const DRAWING = /\{[^{}]*\\p[1-9][^{}]*\}/;

const msOf = (text: string | undefined): number | undefined => {
  const [, h, m, s, f] = TIME.exec(text ?? '') ?? [];
  return f === undefined ? undefined : Number(h) * 3_600_000 + Number(m) * 60_000 + Number(s) * 1000 + Number(f.padEnd(3, '0'));
};

const textOf = (field: string): string =>
  plainMarkup(
    field
      .replace(/\\[Nn]/g, '\n')
      .replaceAll(String.raw`\h`, ' ')
      .replace(/\{[^{}\n]{0,500}\}/g, ''),
  ).trim();

/** Splits a line into fields; the last one contains the rest, with its commas. */
const fieldsOf = (line: string, count: number): string[] => {
  const parts = line.split(',');
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')];
};

/** Reads the dialogue of SubStation Alpha (`.ass`, `.ssa`): texts and times, without styles. */
export const readSubStation = (content: string): Cue[] => {
  const cues: Cue[] = [];
  let columns = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text'];
  let inEvents = false;
  for (const line of content.split(/\r\n|\n|\r/)) {
    if (cues.length >= MAX_CUES) break;
    if (/^\s*\[/.test(line)) inEvents = /^\s*\[events\]/i.test(line);
    const [, kind, rest] = (inEvents && /^\s*(Format|Dialogue)\s*:(.*)$/i.exec(line)) || [];
    if (rest === undefined) continue;
    if (kind?.toLowerCase() === 'format') {
      columns = rest.split(',').map((name) => name.trim().toLowerCase());
      continue;
    }
    const fields = fieldsOf(rest, columns.length);
    const field = (name: string): string | undefined => fields[columns.indexOf(name)];
    const [startMs, endMs, words] = [msOf(field('start')), msOf(field('end')), field('text') ?? ''];
    if (startMs !== undefined && endMs !== undefined && !DRAWING.test(words)) cues.push({ startMs, endMs, text: textOf(words) });
  }
  return inShownOrder(cues);
};
