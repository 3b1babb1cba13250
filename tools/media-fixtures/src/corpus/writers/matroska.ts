import { utf8 } from './bytes.js';

/** Tags by level: 50 is the album, 30 the track (Matroska tags, section 3). */
export type MatroskaTags = readonly { readonly level: 50 | 30; readonly tags: readonly (readonly [name: string, value: string])[] }[];

const TAGS = [0x12, 0x54, 0xc3, 0x67];
const SEGMENT = Buffer.from([0x18, 0x53, 0x80, 0x67]);

/** A size in eight bytes. */
const size = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value) | (1n << 56n));
  return bytes;
};
const element = (id: readonly number[], ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id), size(body.length), body]);
};

const simpleTag = ([name, value]: readonly [string, string]): Buffer =>
  element([0x67, 0xc8], element([0x45, 0xa3], utf8(name)), element([0x44, 0x87], utf8(value)));

/** A Matroska file with these tags behind its others. Its segment must have a size of eight bytes, as ffmpeg writes it. */
export const withMatroskaTags = (file: Buffer, tags: MatroskaTags): Buffer => {
  const added = element(
    TAGS,
    ...tags.map(({ level, tags: list }) =>
      element([0x73, 0x73], element([0x63, 0xc0], element([0x68, 0xca], Buffer.from([level]))), ...list.map(simpleTag)),
    ),
  );
  const at = file.indexOf(SEGMENT) + SEGMENT.length;
  const whole = Buffer.concat([file, added]);
  size(Number(file.readBigUInt64BE(at) & 0x00ff_ffff_ffff_ffffn) + added.length).copy(whole, at);
  return whole;
};
