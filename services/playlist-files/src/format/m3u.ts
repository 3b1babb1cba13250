import {
  displayOf,
  MAX_TEXT_CHARS,
  oneLine,
  PlaylistFileFault,
  type PlaylistDraft,
  type PlaylistFile,
  type PlaylistFileEntry,
} from './playlist-file.js';

/** Directives that only playlists of segments and stream variants have (RFC 8216). */
const STREAMING = /^#EXT-X-(?:TARGETDURATION|STREAM-INF|MEDIA-SEQUENCE|MEDIA|MAP|KEY)\b/i;
const INFO = /^#EXTINF:\s*([+-]?\d+(?:\.\d+)?)?/i;
/** Attributes of IPTV lists stand between length and title; their values may hold commas. */
const ATTRIBUTES = /^(?:\s+[\w-]+="[^"]*")*\s*,/;

interface Said {
  text?: string | undefined;
  artist?: string | undefined;
  album?: string | undefined;
  durationMs?: number | undefined;
}

/** Whole seconds or a fraction; zero and below mean unknown, as in `#EXTINF:-1`. */
const durationOf = (seconds: string | undefined): number | undefined => {
  const ms = Math.round(Number(seconds ?? 0) * 1000);
  return ms > 0 && ms < Number.MAX_SAFE_INTEGER ? ms : undefined;
};

const afterAttributes = (rest: string): string => {
  const attributes = ATTRIBUTES.exec(rest);
  return attributes ? rest.slice(attributes[0].length) : rest.slice(rest.indexOf(',') + 1);
};

const entryOf = ({ text, artist, album, durationMs }: Said, location: string | undefined): PlaylistFileEntry => {
  const title = artist !== undefined && text?.startsWith(`${artist} - `) ? oneLine(text.slice(artist.length + 3)) : text;
  return {
    locations: location === undefined ? [] : [location],
    ...(title === undefined ? {} : { title }),
    ...(artist === undefined ? {} : { artist }),
    ...(album === undefined ? {} : { album }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
};

/** Reads M3U line by line; what is said of an entry stands before it. */
class M3uReader {
  #said: Said = {};
  #title: string | undefined;

  constructor(private readonly draft: PlaylistDraft) {}

  line(text: string, number: number): void {
    if (text === '') return;
    if (text.length > MAX_TEXT_CHARS) return this.draft.note(number, `A line of more than ${MAX_TEXT_CHARS} characters was left out`);
    if (text.startsWith('#')) return this.#directive(text);
    this.draft.add(entryOf(this.#said, text));
    this.#said = {};
  }

  end(): PlaylistFile {
    this.#closeEntry();
    return { ...(this.#title === undefined ? {} : { title: this.#title }), entries: this.draft.entries };
  }

  /** An entry that was announced and has no location is still one that a person put into the list. */
  #closeEntry(): void {
    if (this.#said.text !== undefined) this.draft.add(entryOf(this.#said, undefined));
    this.#said = {};
  }

  #directive(text: string): void {
    if (STREAMING.test(text)) throw new PlaylistFileFault('stream', 'The file lists the pieces of a stream, not songs');
    const info = INFO.exec(text);
    if (info) {
      if (this.#said.text !== undefined) this.#closeEntry();
      this.#said = { ...this.#said, durationMs: durationOf(info[1]), text: oneLine(afterAttributes(text.slice(info[0].length))) };
      return;
    }
    const [, name = '', value] = /^#(PLAYLIST|EXTALB|EXTART):(.*)$/i.exec(text) ?? [];
    const said = oneLine(value);
    if (name.toUpperCase() === 'PLAYLIST') this.#title ??= said;
    if (name.toUpperCase() === 'EXTALB') this.#said.album = said;
    if (name.toUpperCase() === 'EXTART') this.#said.artist = said;
  }
}

/**
 * Reads M3U, plain or extended. Unknown directives and comments are passed over.
 * @throws PlaylistFileFault for a playlist of a stream
 */
export const readM3u = (text: string, draft: PlaylistDraft): PlaylistFile => {
  const reader = new M3uReader(draft);
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) reader.line(line.trim(), index + 1);
  return reader.end();
};

/** A path as a line of its own: one that would be taken for something else is spelt so that it is not. */
const locationLine = (location: string): string => {
  if (/[\r\n]/.test(location)) return location.replace(/[%\r\n]/g, (sign) => encodeURIComponent(sign));
  return location.startsWith('#') ? `./${location}` : location;
};

const entryLines = (entry: PlaylistFileEntry): string[] => {
  const { durationMs, artist, album, locations } = entry;
  const display = oneLine(displayOf(entry));
  if (display === undefined && durationMs === undefined) return locations.slice(0, 1).map(locationLine);
  const seconds = durationMs === undefined ? -1 : Math.max(1, Math.round(durationMs / 1000));
  const line = (name: string, text: string | undefined) => (oneLine(text) === undefined ? [] : [`#${name}:${oneLine(text)}`]);
  return [
    `#EXTINF:${seconds},${display ?? ''}`,
    ...line('EXTART', entry.title === undefined ? undefined : artist),
    ...line('EXTALB', album),
    ...locations.slice(0, 1).map(locationLine),
  ];
};

/** A list as extended M3U, lines ended by LF. It is UTF-8 and says so where that is not plain from the text. */
export function* writeM3u(list: PlaylistFile): Generator<string> {
  yield '#EXTM3U\n#EXTENC:UTF-8\n';
  const title = oneLine(list.title);
  if (title !== undefined) yield `#PLAYLIST:${title}\n`;
  for (const entry of list.entries) yield `${entryLines(entry).join('\n')}\n`;
}
