import { latin1, uint32, utf8 } from './bytes.js';

/** The version of an ID3v2 tag. */
export type Id3Version = 2 | 3 | 4;
/** Text encoding of a frame, by its number in the standard. */
export type Id3Encoding = 'latin1' | 'utf16' | 'utf16be' | 'utf8';

/** One frame: its name and content. */
export interface Id3Frame {
  readonly id: string;
  readonly content: Buffer;
}

const ENCODINGS: readonly Id3Encoding[] = ['latin1', 'utf16', 'utf16be', 'utf8'];
const encodingByte = (encoding: Id3Encoding): Buffer => Buffer.from([ENCODINGS.indexOf(encoding)]);

/** Text under an encoding; UTF-16 begins with a byte-order mark. */
const encoded = (text: string, encoding: Id3Encoding): Buffer => {
  if (encoding === 'latin1') return latin1(text);
  if (encoding === 'utf8') return utf8(text);
  const units = Buffer.from(text, 'utf16le');
  return encoding === 'utf16' ? Buffer.concat([Buffer.from([0xff, 0xfe]), units]) : units.swap16();
};

const terminator = (encoding: Id3Encoding): Buffer => Buffer.alloc(encoding === 'utf16' || encoding === 'utf16be' ? 2 : 1);

const joined = (values: readonly string[], encoding: Id3Encoding): Buffer =>
  Buffer.concat(values.flatMap((value, at) => [...(at === 0 ? [] : [terminator(encoding)]), encoded(value, encoding)]));

/** A text frame; several values are separated by NUL, as version 2.4 has it. */
export const textFrame = (id: string, values: readonly string[], encoding: Id3Encoding = 'utf8'): Id3Frame => ({
  id,
  content: Buffer.concat([encodingByte(encoding), joined(values, encoding)]),
});

/** A frame of bytes that are no text of the encoding that they claim: what broken taggers write. */
export const rawTextFrame = (id: string, encoding: Id3Encoding, bytes: Buffer): Id3Frame => ({
  id,
  content: Buffer.concat([encodingByte(encoding), bytes]),
});

/** A user-defined text frame (`TXX` in version 2.2). */
export const customFrame = (id: 'TXXX' | 'TXX', name: string, values: readonly string[], encoding: Id3Encoding = 'utf8'): Id3Frame => ({
  id,
  content: Buffer.concat([encodingByte(encoding), encoded(name, encoding), terminator(encoding), joined(values, encoding)]),
});

/** Language and description of a comment or lyrics frame. */
export interface Id3Note {
  readonly language?: string;
  readonly description?: string;
  readonly encoding?: Id3Encoding;
}

/** A comment (`COMM`, `COM`) or lyrics (`USLT`, `ULT`). */
export const noteFrame = (id: string, text: string, { language = 'eng', description = '', encoding = 'utf8' }: Id3Note = {}): Id3Frame => ({
  id,
  content: Buffer.concat([
    encodingByte(encoding),
    latin1(language),
    encoded(description, encoding),
    terminator(encoding),
    encoded(text, encoding),
  ]),
});

/** Lyrics with times. `format` 2 counts milliseconds, 1 MPEG frames. */
export const timedFrame = (language: string, lines: readonly (readonly [text: string, at: number])[], format: 1 | 2 = 2): Id3Frame => ({
  id: 'SYLT',
  content: Buffer.concat([
    encodingByte('utf8'),
    latin1(language),
    Buffer.from([format, 1, 0]),
    ...lines.flatMap(([text, at]) => [utf8(text), Buffer.alloc(1), uint32(at)]),
  ]),
});

/** A rating of 0 to 255 under somebody's address. */
export const ratingFrame = (address: string, rating: number, plays = 0): Id3Frame => ({
  id: 'POPM',
  content: Buffer.concat([latin1(`${address}\0`), Buffer.from([rating]), uint32(plays)]),
});

/** An id under its owner. */
export const uniqueIdFrame = (owner: string, id: string): Id3Frame => ({ id: 'UFID', content: latin1(`${owner}\0${id}`) });

/** A link (`WCOP` and its like). */
export const linkFrame = (id: string, link: string): Id3Frame => ({ id, content: latin1(link) });

/** A picture; `kind` 3 is the front cover. Version 2.2 names formats by three letters. */
export const pictureFrame = (version: Id3Version, mime: string, bytes: Buffer, kind = 3): Id3Frame =>
  version === 2
    ? { id: 'PIC', content: Buffer.concat([Buffer.from([0]), latin1(mime === 'image/png' ? 'PNG' : 'JPG'), Buffer.from([kind, 0]), bytes]) }
    : { id: 'APIC', content: Buffer.concat([Buffer.from([0]), latin1(`${mime}\0`), Buffer.from([kind, 0]), bytes]) };

const syncsafe = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (size >>> shift) & 0x7f));

const frameBytes = (version: Id3Version, { id, content }: Id3Frame): Buffer => {
  if (version === 2) return Buffer.concat([latin1(id), uint32(content.length).subarray(1), content]);
  const size = version === 4 ? syncsafe(content.length) : uint32(content.length);
  return Buffer.concat([latin1(id), size, Buffer.alloc(2), content]);
};

/** A whole tag, with some padding as most taggers leave it. */
export const id3Tag = (version: Id3Version, frames: readonly Id3Frame[], paddingBytes = 64): Buffer => {
  const body = Buffer.concat([...frames.map((frame) => frameBytes(version, frame)), Buffer.alloc(paddingBytes)]);
  return Buffer.concat([latin1('ID3'), Buffer.from([version, 0, 0]), syncsafe(body.length), body]);
};

/** The old tag of 128 bytes at the end of a file; `bytes` stand in place of the text. */
export const id3v1Tag = (fields: {
  readonly title?: string | Buffer;
  readonly artist?: string | Buffer;
  readonly album?: string | Buffer;
  readonly year?: string;
  readonly comment?: string;
  readonly track?: number;
  readonly genre?: number;
}): Buffer => {
  const tag = Buffer.alloc(128);
  tag.write('TAG', 'latin1');
  const put = (at: number, value: string | Buffer | undefined, room: number): void => {
    const bytes = typeof value === 'string' ? latin1(value) : (value ?? Buffer.alloc(0));
    bytes.copy(tag, at, 0, Math.min(room, bytes.length));
  };
  put(3, fields.title, 30);
  put(33, fields.artist, 30);
  put(63, fields.album, 30);
  put(93, fields.year, 4);
  put(97, fields.comment, 28);
  tag[126] = fields.track ?? 0;
  tag[127] = fields.genre ?? 255;
  return tag;
};
