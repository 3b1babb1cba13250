import { latin1, uint32, uint32Le, utf8 } from './bytes.js';

/** Tags by name in order; a name may come several times. Bytes stand for a value that is no UTF-8. */
export type Comments = readonly (readonly [name: string, value: string | Buffer])[];

/** The body of a Vorbis comment (RFC 7845 and Vorbis I, section 5), without framing bit. */
export const commentBody = (tags: Comments): Buffer => {
  const lines = tags.map(([name, value]) => Buffer.concat([utf8(`${name}=`), typeof value === 'string' ? utf8(value) : value]));
  return Buffer.concat([uint32Le(0), uint32Le(lines.length), ...lines.flatMap((line) => [uint32Le(line.length), line])]);
};

/** The body of a FLAC picture block (RFC 9639, section 8.8). */
export const pictureBody = (mime: string, bytes: Buffer, kind = 3): Buffer =>
  Buffer.concat([uint32(kind), uint32(mime.length), latin1(mime), uint32(0), ...[0, 0, 0, 0].map(uint32), uint32(bytes.length), bytes]);

/** A metadata block of a FLAC file. */
export interface FlacBlock {
  readonly type: number;
  readonly body: Buffer;
}

/** Types of metadata blocks. */
export const FLAC_COMMENT = 4;
export const FLAC_CUESHEET = 5;
export const FLAC_PICTURE = 6;

/** A FLAC file with these blocks behind its own description and nothing else. */
export const withFlacBlocks = (flac: Buffer, blocks: readonly FlacBlock[]): Buffer => {
  let at = 4;
  let description: Buffer = Buffer.alloc(0);
  for (let isLast = false; !isLast;) {
    const [head = 0] = flac.subarray(at);
    const length = flac.readUIntBE(at + 1, 3);
    isLast = (head & 0x80) !== 0;
    if ((head & 0x7f) === 0) description = flac.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  const all: readonly FlacBlock[] = [{ type: 0, body: description }, ...blocks];
  const written = all.flatMap(({ type, body }, index) => [
    Buffer.from([type | (index === all.length - 1 ? 0x80 : 0)]),
    uint32(body.length).subarray(1),
    body,
  ]);
  return Buffer.concat([latin1('fLaC'), ...written, flac.subarray(at)]);
};

/** A FLAC file with these comments. */
export const withFlacComments = (flac: Buffer, tags: Comments): Buffer =>
  withFlacBlocks(flac, [{ type: FLAC_COMMENT, body: commentBody(tags) }]);
