import { given } from '@continuo/contracts';
import { SaxesParser } from 'saxes';
import { fragment } from 'xmlbuilder2';
import {
  MAX_TEXT_CHARS,
  oneLine,
  PlaylistFileFault,
  type PlaylistDraft,
  type PlaylistFile,
  type PlaylistFileEntry,
} from './playlist-file.js';

const NAMESPACE = 'http://xspf.org/ns/0/';
/** XSPF itself needs four levels; extensions may go deeper, nobody needs as much as this. */
const MAX_DEPTH = 64;

interface Track {
  locations: string[];
  identifiers: string[];
  title?: string | undefined;
  creator?: string | undefined;
  album?: string | undefined;
  trackNum?: string | undefined;
  duration?: string | undefined;
}

/** A whole number above zero. */
const positive = (text: string | undefined): number | undefined => {
  const value = Math.round(Number(text ?? ''));
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
};

const entryOf = ({ locations, identifiers, title, creator, album, trackNum, duration }: Track): PlaylistFileEntry => {
  const [trackNumber, durationMs] = [positive(trackNum), positive(duration)];
  return {
    locations,
    ...given({ title, artist: creator, album, trackNumber, durationMs }),
    ...(identifiers.length === 0 ? {} : { identifiers }),
  };
};

/** Gathers a list from the events of the parser; `path` is the names of the open elements. */
class XspfReader {
  readonly #path: string[] = [];
  #text = '';
  #track: Track | undefined;
  #title: string | undefined;
  #comment: string | undefined;

  constructor(private readonly draft: PlaylistDraft) {}

  open(name: string): void {
    if (this.#path.length >= MAX_DEPTH) throw new PlaylistFileFault('malformed', `The document nests more than ${MAX_DEPTH} levels`);
    this.#path.push(name.slice(name.indexOf(':') + 1));
    this.#text = '';
    if (this.#at() === 'playlist/trackList/track') this.#track = { locations: [], identifiers: [] };
  }

  text(text: string): void {
    // One character more than is kept tells that there was more.
    if (this.#text.length <= MAX_TEXT_CHARS) this.#text += text.slice(0, MAX_TEXT_CHARS + 1);
  }

  close(line: number): void {
    this.#take(this.#at(), line);
    this.#path.pop();
    this.#text = '';
  }

  list(): PlaylistFile {
    return {
      ...(this.#title === undefined ? {} : { title: this.#title }),
      ...(this.#comment === undefined ? {} : { comment: this.#comment }),
      entries: this.draft.entries,
    };
  }

  #at(): string {
    return this.#path.length <= 4 ? this.#path.join('/') : '';
  }

  #take(at: string, line: number): void {
    const text = oneLine(this.#text);
    if (at === 'playlist/title') this.#title ??= text;
    else if (at === 'playlist/annotation') this.#comment ??= text;
    else if (at === 'playlist/trackList/track' && this.#track !== undefined) {
      this.draft.add(entryOf(this.#track));
      this.#track = undefined;
    } else if (at.startsWith('playlist/trackList/track/') && text !== undefined && this.#track !== undefined) {
      if (this.#text.length > MAX_TEXT_CHARS) return this.draft.note(line, `A text of more than ${MAX_TEXT_CHARS} characters was left out`);
      describe(this.#track, at.slice('playlist/trackList/track/'.length), text);
    }
  }
}

/** Alternatives of one entry that are kept. */
const MAX_ALTERNATIVES = 8;

const describe = (track: Track, field: string, text: string): void => {
  if (field === 'location' && track.locations.length < MAX_ALTERNATIVES) track.locations.push(text);
  else if (field === 'identifier' && track.identifiers.length < MAX_ALTERNATIVES) track.identifiers.push(text);
  else if (field === 'title' || field === 'creator' || field === 'album' || field === 'trackNum' || field === 'duration')
    track[field] ??= text;
};

const refuseDocumentType = (): never => {
  throw new PlaylistFileFault('malformed', 'The document has a document type, which is not read');
};

/**
 * Reads XSPF, version 0 or 1, with or without its namespace. A document type is refused, so that nothing can be declared, expanded or fetched.
 * @throws PlaylistFileFault for text that is not well-formed, not XSPF, or has a document type
 */
export const readXspf = (text: string, draft: PlaylistDraft): PlaylistFile => {
  const parser = new SaxesParser({ fragment: false });
  const reader = new XspfReader(draft);
  let root: string | undefined;
  parser.on('error', (error) => {
    throw new PlaylistFileFault('malformed', `The document is not well-formed XML (${error.message.slice(0, 200)})`);
  });
  parser.on('doctype', refuseDocumentType);
  parser.on('opentag', ({ name }) => {
    root ??= name.slice(name.indexOf(':') + 1);
    if (root !== 'playlist') throw new PlaylistFileFault('malformed', 'The document is XML, but no XSPF playlist');
    reader.open(name);
  });
  parser.on('text', (piece) => reader.text(piece));
  parser.on('cdata', (piece) => reader.text(piece));
  parser.on('closetag', () => reader.close(parser.line));
  parser.write(text).close();
  return reader.list();
};

/** Removes characters that XML 1.0 cannot hold; a location has none of it, because it is percent-encoded. */
const xmlText = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are the characters that go
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '');

const element = (name: string, text: string | number | undefined): Record<string, string> =>
  text === undefined ? {} : { [name]: xmlText(String(text)) };

const trackText = (entry: PlaylistFileEntry): string => {
  const track = {
    ...(entry.locations.length === 0 ? {} : { location: entry.locations.map(xmlText) }),
    ...(entry.identifiers === undefined ? {} : { identifier: entry.identifiers.map(xmlText) }),
    ...element('title', entry.title),
    ...element('creator', entry.artist),
    ...element('album', entry.album),
    ...element('trackNum', entry.trackNumber),
    ...element('duration', entry.durationMs === undefined ? undefined : Math.round(entry.durationMs)),
  };
  return `    ${fragment({ track }).toString()}\n`;
};

/** A list as XSPF version 1 in UTF-8. Locations are URIs, absolute or relative: paths must be percent-encoded before (`uriOfPath`). */
export function* writeXspf(list: PlaylistFile): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<playlist version="1" xmlns="${NAMESPACE}">\n`;
  for (const head of [element('title', list.title), element('annotation', list.comment)]) {
    if (Object.keys(head).length > 0) yield `  ${fragment(head).toString()}\n`;
  }
  yield '  <trackList>\n';
  for (const entry of list.entries) yield trackText(entry);
  yield '  </trackList>\n</playlist>\n';
}
