import { displayOf, MAX_TEXT_CHARS, oneLine, type PlaylistDraft, type PlaylistFile, type PlaylistFileEntry } from './playlist-file.js';

interface Numbered {
  readonly files: string[];
  title?: string;
  durationMs?: number;
}

// With `s`: names of files may hold U+2028, which is the end of a line to regular expressions alone.
const LINE = /^(File|Title|Length)(\d{1,9})\s*=(.*)$/is;
const NAME = /^(?:X-GNOME-Title|PlaylistName)\s*=(.*)$/is;

const apply = (entry: Numbered, key: string, value: string): void => {
  if (key === 'file') entry.files.push(value);
  const title = oneLine(value);
  if (key === 'title' && title !== undefined) entry.title ??= title;
  const seconds = Number(value);
  if (key === 'length' && Number.isFinite(seconds) && seconds > 0) entry.durationMs ??= Math.round(seconds * 1000);
};

const described = ({ title, durationMs }: Numbered): Omit<PlaylistFileEntry, 'locations'> => ({
  ...(title === undefined ? {} : { title }),
  ...(durationMs === undefined ? {} : { durationMs }),
});

/** Reads PLS. Entries stand in order of their numbers; a number that is used twice gives two entries, so that none is lost. */
export const readPls = (text: string, draft: PlaylistDraft): PlaylistFile => {
  const numbered = new Map<number, Numbered>();
  let name: string | undefined;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.trim();
    if (line.length > MAX_TEXT_CHARS) {
      draft.note(index + 1, `A line of more than ${MAX_TEXT_CHARS} characters was left out`);
      continue;
    }
    name ??= oneLine(NAME.exec(line)?.[1]);
    const [, key, digits, value] = LINE.exec(line) ?? [];
    if (key === undefined || value === undefined || value.trim() === '') continue;
    const entry = numbered.get(Number(digits)) ?? { files: [] };
    numbered.set(Number(digits), entry);
    apply(entry, key.toLowerCase(), value.trim());
  }
  for (const [, entry] of [...numbered].toSorted(([a], [b]) => a - b)) {
    if (entry.files.length === 0 && entry.title !== undefined) draft.add({ locations: [], ...described(entry) });
    for (const file of entry.files) draft.add({ locations: [file], ...described(entry) });
  }
  return { ...(name === undefined ? {} : { title: name }), entries: draft.entries };
};

const entryText = (entry: PlaylistFileEntry, number: number): string => {
  const title = oneLine(displayOf(entry));
  const location = entry.locations[0]?.replace(/[\r\n]/g, (sign) => encodeURIComponent(sign));
  return [
    ...(location === undefined ? [] : [`File${number}=${location}`]),
    ...(title === undefined ? [] : [`Title${number}=${title}`]),
    `Length${number}=${entry.durationMs === undefined ? -1 : Math.max(1, Math.round(entry.durationMs / 1000))}`,
    '',
  ].join('\n');
};

/** A list as PLS version 2, UTF-8, lines ended by LF. */
export function* writePls(list: PlaylistFile): Generator<string> {
  const title = oneLine(list.title);
  yield title === undefined ? '[playlist]\n' : `[playlist]\nX-GNOME-Title=${title}\n`;
  let number = 0;
  for (const entry of list.entries) yield entryText(entry, (number += 1));
  yield `NumberOfEntries=${number}\nVersion=2\n`;
}
