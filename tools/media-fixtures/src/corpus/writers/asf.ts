import { uint16Le, uint32Le, uint64Le } from './bytes.js';

/** Attributes of an ASF file; a name may come several times. A boolean and a number have types of their own. */
export type AsfAttributes = readonly (readonly [name: string, value: string | number | boolean])[];

/** Ids of objects as they stand in files (ASF specification, section 10). */
const CONTENT_DESCRIPTION = Buffer.from('3326b2758e66cf11a6d900aa0062ce6c', 'hex');
const EXTENDED_DESCRIPTION = Buffer.from('40a4d0d207e3d21197f000a0c95ea850', 'hex');
const HEADER_BYTES = 30;

const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');
const object = (id: Buffer, body: Buffer): Buffer => Buffer.concat([id, uint64Le(body.length + 24), body]);

const valueOf = (value: string | number | boolean): { type: number; bytes: Buffer } => {
  if (typeof value === 'string') return { type: 0, bytes: wide(value) };
  return typeof value === 'boolean' ? { type: 2, bytes: uint32Le(value ? 1 : 0) } : { type: 3, bytes: uint32Le(value) };
};

const attribute = ([name, value]: AsfAttributes[number]): Buffer => {
  const label = wide(name);
  const { type, bytes } = valueOf(value);
  return Buffer.concat([uint16Le(label.length), label, uint16Le(type), uint16Le(bytes.length), bytes]);
};

/** The five fixed texts of an ASF file. */
const DESCRIBED = ['Title', 'Author', 'Copyright', 'Description', 'Rating'];

/** An ASF file with these attributes in place of its own. */
export const withAsfAttributes = (asf: Buffer, attributes: AsfAttributes): Buffer => {
  const kept: Buffer[] = [];
  const end = Number(asf.readBigUInt64LE(16));
  for (let at = HEADER_BYTES; at < end;) {
    const size = Number(asf.readBigUInt64LE(at + 16));
    const id = asf.subarray(at, at + 16);
    if (!id.equals(CONTENT_DESCRIPTION) && !id.equals(EXTENDED_DESCRIPTION)) kept.push(asf.subarray(at, at + size));
    at += size;
  }
  const fixed = DESCRIBED.map((name) => wide(String(attributes.find(([given]) => given === name)?.[1] ?? '')));
  const described = object(CONTENT_DESCRIPTION, Buffer.concat([...fixed.map((text) => uint16Le(text.length)), ...fixed]));
  // Of several authors the fixed text has room for the first.
  const others = attributes.filter(([name], at) => !DESCRIBED.includes(name) || attributes.findIndex(([first]) => first === name) < at);
  const extended = object(EXTENDED_DESCRIPTION, Buffer.concat([uint16Le(others.length), ...others.map(attribute)]));
  const objects = [...kept, described, extended];
  const body = Buffer.concat(objects);
  const head = Buffer.concat([asf.subarray(0, 16), uint64Le(body.length + HEADER_BYTES), uint32Le(objects.length), asf.subarray(28, 30)]);
  return Buffer.concat([head, body, asf.subarray(end)]);
};
