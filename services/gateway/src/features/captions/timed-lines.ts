import { inShownOrder, MAX_CUES, plainMarkup, type Cue } from './cue.js';

/** `00:01:02,345 --> 00:01:04,000` of SubRip, `01:02.345 --> 01:04.000 line:0` of WebVTT, and variants between them. */
const TIMES =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?(?:\s|$)/;
const NUMBER_ALONE = /^\s*\d{1,6}\s*$/;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '\u200e', rlm: '\u200f' };

const msOf = (hours = '0', minutes = '0', seconds = '0', fraction = ''): number =>
  Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0'));

const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_whole, name: string) => entities[name] ?? '');

interface OpenCue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: string[];
}

/**
 * Reads SubRip and WebVTT: a line of times, lines of text, an empty line. Numbers, notes and styles are ignored, a missing empty line is
 * tolerated.
 */
export const readTimedLines = (content: string, kind: 'srt' | 'vtt'): Cue[] => {
  const cues: Cue[] = [];
  let open: OpenCue | undefined;
  const close = (): void => {
    if (open) {
      const text = plainMarkup(open.lines.join('\n')).trim();
      cues.push({ startMs: open.startMs, endMs: open.endMs, text: kind === 'vtt' ? unescaped(text) : text });
    }
    open = undefined;
  };
  for (const line of content.split(/\r\n|\n|\r/)) {
    if (cues.length >= MAX_CUES) break;
    const times = TIMES.exec(line);
    if (times) {
      if (open && NUMBER_ALONE.test(open.lines.at(-1) ?? '')) open.lines.pop();
      close();
      const [, h, m, s, f, endH, endM, endS, endF] = times;
      open = { startMs: msOf(h, m, s, f), endMs: msOf(endH, endM, endS, endF), lines: [] };
    } else if (line.trim() === '') close();
    else open?.lines.push(line);
  }
  close();
  return inShownOrder(cues);
};

const two = (value: number): string => String(value).padStart(2, '0');
const clock = (ms: number, point: ',' | '.'): string =>
  `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}${point}${String(Math.round(ms) % 1000).padStart(3, '0')}`;

const blocks = (cues: readonly Cue[], point: ',' | '.', textOf: (text: string) => string, isNumbered: boolean): string[] =>
  cues.map(({ startMs, endMs, text }, index) => {
    // An empty line would end the cue.
    const lines = textOf(text).replace(/\n{2,}/g, '\n');
    return `${isNumbered ? `${index + 1}\n` : ''}${clock(startMs, point)} --> ${clock(endMs, point)}\n${lines}\n`;
  });

/** Writes SubRip. */
export const writeSrt = (cues: readonly Cue[]): string => blocks(cues, ',', (text) => text.replaceAll('-->', '->'), true).join('\n');

const escaped = (text: string): string =>
  text
    .split(/(<\/?[ibu]>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')))
    .join('');

/** Writes WebVTT. */
export const writeVtt = (cues: readonly Cue[]): string => ['WEBVTT\n', ...blocks(cues, '.', escaped, false)].join('\n');
