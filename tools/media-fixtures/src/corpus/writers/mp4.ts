import { latin1, uint32, utf8 } from './bytes.js';

const atom = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(body.length + 8), latin1(name), body]);
};

/** Types of values in iTunes atoms. */
const IMPLICIT = 0;
const UTF8 = 1;
const INTEGER = 21;
const dataAtom = (type: number, value: Buffer): Buffer => atom('data', uint32(type), uint32(0), value);

/** An iTunes atom with texts. */
export const textAtom = (name: string, ...values: readonly string[]): Buffer =>
  atom(name, ...values.map((value) => dataAtom(UTF8, utf8(value))));

/** An iTunes atom with a number of so many bytes. */
export const numberAtom = (name: string, value: number, bytes = 1): Buffer => {
  const number = Buffer.alloc(bytes);
  number.writeUIntBE(value, 0, bytes);
  return atom(name, dataAtom(INTEGER, number));
};

/** A place among a total: `trkn` and `disk`. */
export const placeAtom = (name: 'trkn' | 'disk', number: number, total = 0): Buffer => {
  const value = Buffer.alloc(name === 'trkn' ? 8 : 6);
  value.writeUInt16BE(number, 2);
  value.writeUInt16BE(total, 4);
  return atom(name, dataAtom(IMPLICIT, value));
};

/** A free-form atom. */
export const freeAtom = (name: string, ...values: readonly string[]): Buffer =>
  atom(
    '----',
    atom('mean', uint32(0), latin1('com.apple.iTunes')),
    atom('name', uint32(0), utf8(name)),
    ...values.map((value) => dataAtom(UTF8, utf8(value))),
  );

/** An MP4 with these atoms in place of its own tags. Its sound must come before its description, as ffmpeg writes it, for nothing is moved. */
export const withAtoms = (mp4: Buffer, atoms: readonly Buffer[]): Buffer => {
  const list = mp4.lastIndexOf('ilst');
  const [start, end] = [list + 4, list - 4 + mp4.readUInt32BE(list - 4)];
  const body = Buffer.concat(atoms);
  const grown = Buffer.from(mp4);
  for (const name of ['ilst', 'meta', 'udta', 'moov']) {
    const at = grown.lastIndexOf(name, list) - 4;
    grown.writeUInt32BE(grown.readUInt32BE(at) + body.length - (end - start), at);
  }
  return Buffer.concat([grown.subarray(0, start), body, grown.subarray(end)]);
};
