import { cleanText } from './text.js';

/** One track of a sheet. Times in milliseconds from the start of its file. */
export interface CueTrack {
  readonly number: number;
  readonly startMs: number;
  readonly title?: string;
  readonly performer?: string;
  readonly songwriter?: string;
  readonly isrc?: string;
  /** `REM` lines of the track, by upper-case name. */
  readonly remarks: ReadonlyMap<string, string>;
}

/** A file that a sheet cuts into tracks. */
export interface CueFile {
  /** As it is written, possibly with a folder or another suffix than the file has today; empty for a sheet inside its file. */
  readonly name: string;
  readonly tracks: readonly CueTrack[];
}

/** A cue sheet. */
export interface CueSheet {
  readonly title?: string;
  readonly performer?: string;
  readonly songwriter?: string;
  /** The disc's barcode (`CATALOG`). */
  readonly catalog?: string;
  readonly remarks: ReadonlyMap<string, string>;
  readonly files: readonly CueFile[];
}

/** Most tracks of one sheet: a disc has 99. */
const MAX_TRACKS = 99;
const FRAMES_PER_SECOND = 75;
/** Of a line without blanks at its ends: looking for them behind any text would take a long time in a long line of blanks. */
const LINE = /^([A-Za-z]+)\s*(.*)$/;
const TIME = /^(\d{1,4}):([0-5]?\d):([0-7]?\d)$/;

interface Draft {
  title?: string;
  performer?: string;
  songwriter?: string;
  catalog?: string;
  isrc?: string;
  number?: number;
  startMs?: number;
  readonly remarks: Map<string, string>;
}

/** The first of a line's words, which may stand in quotes, and the rest. */
const wordsOf = (text: string): [first: string, rest: string] => {
  const quoted = /^"([^"]*)"?\s*(.*)$/.exec(text);
  if (quoted) return [quoted[1] ?? '', quoted[2] ?? ''];
  const [, first = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
  return [first, rest];
};

/** Everything behind a command that has one text, with or without quotes. */
const textOf = (text: string): string => (text.startsWith('"') ? wordsOf(text)[0] : text);

const timeOf = (text: string): number | undefined => {
  const [, minutes, seconds, frames] = TIME.exec(text) ?? [];
  if (minutes === undefined) return undefined;
  return (Number(minutes) * 60 + Number(seconds)) * 1000 + Math.round((Number(frames) * 1000) / FRAMES_PER_SECOND);
};

const said = (draft: Draft) => ({
  ...(cleanText(draft.title) ? { title: cleanText(draft.title) as string } : {}),
  ...(cleanText(draft.performer) ? { performer: cleanText(draft.performer) as string } : {}),
  ...(cleanText(draft.songwriter) ? { songwriter: cleanText(draft.songwriter) as string } : {}),
});

/** Notes what one line says of a track, or of the whole sheet. */
const note = (draft: Draft, command: string, rest: string): void => {
  if (command === 'TITLE') draft.title = textOf(rest);
  if (command === 'PERFORMER') draft.performer = textOf(rest);
  if (command === 'SONGWRITER') draft.songwriter = textOf(rest);
  if (command === 'CATALOG') draft.catalog = textOf(rest);
  if (command === 'ISRC') draft.isrc = textOf(rest);
  if (command === 'REM') {
    const [name, value] = wordsOf(rest);
    draft.remarks.set(name.toUpperCase(), textOf(value));
  }
  if (command === 'INDEX') {
    const [number, time] = wordsOf(rest);
    // Index 1 is where a track is played from; index 0, the pause before it, belongs to the one before.
    if (Number(number) === 1) draft.startMs ??= timeOf(time) ?? 0;
  }
};

const trackOf = (draft: Draft): CueTrack[] => {
  const { number, startMs, isrc, remarks } = draft;
  if (number === undefined || startMs === undefined) return [];
  const code = cleanText(isrc, 40);
  return [{ number, startMs, ...said(draft), ...(code ? { isrc: code } : {}), remarks }];
};

/** Tracks in the order of their times; a sheet whose times go back is no use. */
const inOrder = (tracks: readonly CueTrack[]): CueTrack[] => {
  const sorted = tracks.toSorted((a, b) => a.startMs - b.startMs || a.number - b.number);
  return new Set(sorted.map(({ number }) => number)).size === sorted.length ? sorted.slice(0, MAX_TRACKS) : [];
};

/** Reads a cue sheet. Unknown lines are passed over; a text without any track gives a sheet without files. */
export const readCueSheet = (text: string): CueSheet => {
  const whole: Draft = { remarks: new Map() };
  const files: { name: string; drafts: Draft[] }[] = [];
  let track: Draft | undefined;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, word = '', rest = ''] = LINE.exec(line.trim()) ?? [];
    const command = word.toUpperCase();
    if (command === 'FILE') {
      files.push({ name: wordsOf(rest)[0], drafts: [] });
      track = undefined;
    } else if (command === 'TRACK') {
      const [number, kind] = wordsOf(rest);
      // Tracks of data are counted, but nobody hears them.
      track = /^AUDIO/i.test(kind) && /^\d{1,2}$/.test(number) ? { number: Number(number), remarks: new Map() } : { remarks: new Map() };
      if (files.length === 0) files.push({ name: '', drafts: [] });
      files.at(-1)?.drafts.push(track);
    } else note(track ?? whole, command, rest);
  }
  const catalog = cleanText(whole.catalog, 40);
  return {
    ...said(whole),
    ...(catalog ? { catalog } : {}),
    remarks: whole.remarks,
    files: files.map(({ name, drafts }) => ({ name, tracks: inOrder(drafts.flatMap(trackOf)) })),
  };
};

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase();

/**
 * Returns the cuts of a file by a cue sheet: the entry of its name, else of its name with another suffix (files are often compressed after the sheet was made), else the
 * only one there is when the sheet is the file's own. Undefined when it does not cut it at all: one track is a whole file.
 */
export const cueFileOf = (sheet: CueSheet, fileName: string, isOwn: boolean): CueFile | undefined => {
  const plain = (name: string): string => name.split(/[/\\]/).at(-1) ?? '';
  const file =
    sheet.files.find(({ name }) => plain(name).toLowerCase() === fileName.toLowerCase()) ??
    sheet.files.find(({ name }) => stemOf(plain(name)) === stemOf(fileName)) ??
    (isOwn && sheet.files.length === 1 ? sheet.files[0] : undefined);
  return file && file.tracks.length > 1 ? file : undefined;
};

const BLOCK_HEAD_BYTES = 396;
const TRACK_BYTES = 36;
const INDEX_BYTES = 12;
/** Number of the track that only says where the last one ends. */
const LEAD_OUT = 170;

/** A sheet as a FLAC file keeps it in a block of its own (RFC 9639, section 8.7): times and codes, no names. */
export const readCueBlock = (block: Buffer, sampleRateHz: number): CueSheet => {
  const tracks: CueTrack[] = [];
  let at = BLOCK_HEAD_BYTES;
  for (let left = block[BLOCK_HEAD_BYTES - 1] ?? 0; left > 0 && at + TRACK_BYTES <= block.length; left -= 1) {
    const offset = Number(block.readBigUInt64BE(at));
    const number = block[at + 8] ?? 0;
    const isrc = cleanText(block.toString('latin1', at + 9, at + 21), 40);
    const isAudio = ((block[at + 21] ?? 0) & 0x80) === 0;
    const indexes = block[at + TRACK_BYTES - 1] ?? 0;
    at += TRACK_BYTES;
    let first = 0;
    for (let index = 0; index < indexes && at + INDEX_BYTES <= block.length; index += 1, at += INDEX_BYTES)
      if (block[at + 8] === 1) first = Number(block.readBigUInt64BE(at));
    if (!isAudio || number === LEAD_OUT || number > MAX_TRACKS || sampleRateHz <= 0) continue;
    tracks.push({ number, startMs: Math.round(((offset + first) / sampleRateHz) * 1000), remarks: new Map(), ...(isrc ? { isrc } : {}) });
  }
  return { remarks: new Map(), files: [{ name: '', tracks: inOrder(tracks) }] };
};
