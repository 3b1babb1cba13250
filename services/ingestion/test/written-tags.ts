import { id3Tag, id3Text } from './id3-tag.js';

/** Several values of tags by name, in order: what one format can hold of them. */
export type TagList = readonly (readonly [name: string, value: string])[];

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const uint32Le = (value: number): Buffer => uint32(value).swap32();

/** A text frame of ID3v2.3, in UTF-16 with a byte order mark. */
export const id3v23Text = (id: string, ...values: string[]): Buffer => {
  const text = Buffer.concat([
    Buffer.from([1]),
    ...values.flatMap((value) => [Buffer.from([0xff, 0xfe]), Buffer.from(`${value}\0`, 'utf16le')]),
  ]);
  return Buffer.concat([Buffer.from(id), uint32(text.length), Buffer.from([0, 0]), text]);
};

/** A whole ID3v2.3 tag. */
export const id3v23Tag = (...frames: readonly Buffer[]): Buffer => {
  const tag = id3Tag(...frames);
  tag[3] = 3;
  return tag;
};

/** A user-defined text frame of ID3v2.4. */
export const id3Custom = (name: string, ...values: string[]): Buffer => id3Text('TXXX', name, ...values);

/** A FLAC file with these comments in place of its own. */
export const withVorbisComments = (flac: Buffer, tags: TagList): Buffer => {
  const comments = tags.map(([name, value]) => Buffer.from(`${name}=${value}`));
  const body = Buffer.concat([
    uint32Le(0),
    uint32Le(comments.length),
    ...comments.flatMap((comment) => [uint32Le(comment.length), comment]),
  ]);
  const blocks: Buffer[] = [];
  let at = 4;
  for (let isLast = false; !isLast;) {
    const [head = 0] = flac.subarray(at);
    const length = flac.readUIntBE(at + 1, 3);
    isLast = (head & 0x80) !== 0;
    // Only the stream's own description (type 0) is kept.
    if ((head & 0x7f) === 0) blocks.push(flac.subarray(at, at + 4 + length));
    at += 4 + length;
  }
  const [description = Buffer.alloc(0)] = blocks;
  const comment = Buffer.concat([uint32((0x84 << 24) >>> 0), body]);
  comment.writeUIntBE(body.length, 1, 3);
  return Buffer.concat([flac.subarray(0, 4), Buffer.from([0]), description.subarray(1), comment, flac.subarray(at)]);
};

const atom = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(body.length + 8), Buffer.from(name, 'latin1'), body]);
};
/** Types of values in iTunes atoms. */
const UTF8 = 1;
const INTEGER = 21;
const dataAtom = (type: number, value: Buffer): Buffer => atom('data', uint32(type), uint32(0), value);

/** An iTunes atom with texts. */
export const itunesText = (name: string, ...values: string[]): Buffer =>
  atom(name, ...values.map((value) => dataAtom(UTF8, Buffer.from(value))));
/** An iTunes atom with a number of so many bytes. */
export const itunesNumber = (name: string, value: number, bytes = 1): Buffer => {
  const number = Buffer.alloc(bytes);
  number.writeUIntBE(value, 0, bytes);
  return atom(name, dataAtom(INTEGER, number));
};
/** A free-form iTunes atom. */
export const itunesFree = (name: string, ...values: string[]): Buffer =>
  atom(
    '----',
    atom('mean', uint32(0), Buffer.from('com.apple.iTunes')),
    atom('name', uint32(0), Buffer.from(name)),
    ...values.map((value) => dataAtom(UTF8, Buffer.from(value))),
  );

/** An MP4 with further iTunes atoms. Its sound must come before its description, as ffmpeg writes it, for nothing is moved. */
export const withItunesAtoms = (mp4: Buffer, ...atoms: readonly Buffer[]): Buffer => {
  const added = Buffer.concat(atoms);
  const list = mp4.lastIndexOf('ilst');
  const end = list - 4 + mp4.readUInt32BE(list - 4);
  const grown = Buffer.from(mp4);
  for (const name of ['ilst', 'meta', 'udta', 'moov']) {
    const at = grown.lastIndexOf(name, list) - 4;
    grown.writeUInt32BE(grown.readUInt32BE(at) + added.length, at);
  }
  return Buffer.concat([grown.subarray(0, end), added, grown.subarray(end)]);
};

/** A WAV or AIFF with an ID3 tag in a chunk at its end. */
export const withId3Chunk = (file: Buffer, tag: Buffer): Buffer => {
  const isRiff = file.toString('latin1', 0, 4) === 'RIFF';
  const size = isRiff ? uint32Le(tag.length) : uint32(tag.length);
  const chunk = Buffer.concat([Buffer.from(isRiff ? 'id3 ' : 'ID3 '), size, tag, Buffer.alloc(tag.length % 2)]);
  const whole = Buffer.concat([file, chunk]);
  (isRiff ? uint32Le : uint32)(whole.length - 8).copy(whole, 4);
  return whole;
};
