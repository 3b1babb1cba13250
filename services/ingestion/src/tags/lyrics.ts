import type { LyricsText } from '@continuo/contracts';
import { parseLrc, type TimedLine } from './lrc.js';
import { parseSrt, parseTtml, type ParsedLyrics } from './timed-text.js';
import { cleanLines } from './text.js';

/** Bounds for all lyrics of one track together, so that one track always fits into one command. */
const MAX_TEXTS = 10;
const MAX_LINES = 3000;
const MAX_TOTAL_CHARS = 40_000;
/** Most of a text with markup that is looked at: what is sung is a small part of it. */
const MAX_MARKUP_CHARS = 1_000_000;
const MAX_CUES = 4000;
const MAX_LINE_CHARS = 1000;
const UNKNOWN_LANGUAGE = 'xxx';

/** Lyrics as a tag holds them: one text, or lines with times in milliseconds. */
export interface RawLyrics {
  readonly language?: string | undefined;
  readonly text?: string | undefined;
  readonly timed?: readonly { timestamp?: number; text: string }[];
}

/** A language tag as ISO 639 text; taggers write blanks, NULs and `XXX` for unknown. */
const languageOf = (value: string | undefined): string => {
  const language = (cleanLines(value, 20) ?? '').toLowerCase();
  return /^[a-z]{2,3}(?:-[a-z0-9]+)*$/.test(language) ? language : UNKNOWN_LANGUAGE;
};

const synced = (lines: readonly TimedLine[], language: string, source: LyricsText['source']): LyricsText => ({
  language,
  synced: true,
  source,
  lines: lines.map((line) => {
    const text = cleanLines(line.text, MAX_LINE_CHARS)?.replaceAll('\n', ' ') ?? '';
    // Times of words belong to the text as it was.
    const { cues, endMs } = text === line.text ? line : {};
    return {
      startMs: Math.max(0, Math.round(line.startMs)),
      text,
      ...(cues && { cues: cues.map(([atMs, from]): [number, number] => [atMs, from]) }),
      ...(endMs === undefined ? {} : { endMs }),
    };
  }),
});

type Line = LyricsText['lines'][number];
const withoutCues = ({ cues: _times, endMs: _end, ...line }: Line): Line => line;

/** Lyrics of a parsed file, in the language of the tag, else in its own. */
const fromFile = (file: ParsedLyrics, language: string | undefined, source: LyricsText['source']): LyricsText | undefined => {
  if (file.lines.length === 0) return undefined;
  const named = languageOf(language);
  const spoken = named === UNKNOWN_LANGUAGE ? languageOf(file.language) : named;
  const text = synced(file.lines, spoken, source);
  return file.synced ? text : { ...text, synced: false, lines: text.lines.map((line) => ({ text: line.text })) };
};

/** Reads one text: TTML, SRT, or LRC when it has time stamps, otherwise plain lines. Empty text is absent. */
export const lyricsFromText = (text: string, language: string | undefined, source: LyricsText['source']): LyricsText | undefined => {
  const timed = parseTtml(text.slice(0, MAX_MARKUP_CHARS)) ?? parseSrt(text.slice(0, MAX_MARKUP_CHARS));
  if (timed) return fromFile(timed, language, source);
  const clean = cleanLines(text, MAX_TOTAL_CHARS);
  if (!clean) return undefined;
  const lrc = parseLrc(clean);
  if (lrc) return fromFile({ ...lrc, synced: true }, language, source);
  return { language: languageOf(language), synced: false, source, lines: clean.split('\n').map((line) => ({ text: line.trim() })) };
};

/** Lyrics of a track's tags, synchronised ones as they are, plain ones line by line. */
export const lyricsFromTags = (raw: readonly RawLyrics[]): LyricsText[] =>
  raw.flatMap((item) => {
    const timed = (item.timed ?? []).filter((line) => line.timestamp !== undefined && line.timestamp >= 0);
    if (timed.length > 0) {
      const lines = timed.map((line) => ({ startMs: line.timestamp as number, text: line.text }));
      return [synced(lines, languageOf(item.language), 'tag')];
    }
    const plain = item.text ? lyricsFromText(item.text, item.language, 'tag') : undefined;
    return plain ? [plain] : [];
  });

/** Keeps whole lines as long as they fit the bounds, and times of words as long as those do. Repeated texts count once. */
export const boundLyrics = (texts: readonly LyricsText[]): LyricsText[] => {
  const kept: LyricsText[] = [];
  const seen = new Set<string>();
  let lineBudget = MAX_LINES;
  let charBudget = MAX_TOTAL_CHARS;
  let cueBudget = MAX_CUES;
  for (const text of texts) {
    const key = JSON.stringify([text.language, text.synced, text.lines]);
    if (kept.length >= MAX_TEXTS || seen.has(key)) continue;
    seen.add(key);
    const lines = text.lines.filter((line) => {
      lineBudget -= 1;
      charBudget -= line.text.length + 20;
      return lineBudget >= 0 && charBudget >= 0;
    });
    const timed = lines.map((line) => {
      cueBudget -= line.cues?.length ?? 0;
      return cueBudget >= 0 ? line : withoutCues(line);
    });
    if (timed.length > 0) kept.push({ ...text, lines: timed });
  }
  return kept;
};
