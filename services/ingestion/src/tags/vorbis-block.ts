import type { ReadAt } from './raw-tags.js';

/** Header packets and blocks beyond this are not looked at; covers make them large. */
const MAX_HEADER_BYTES = 16_000_000;
const MAX_BLOCKS = 128;
const COMMENT = 4;
const CUESHEET = 5;
const PAGE_BYTES = 65_307;

/** Metadata blocks as FLAC has them, whatever container they came from. */
export interface FlacBlocks {
  /** The stream's description; absent for other codecs than FLAC. */
  readonly description?: Buffer;
  /** The body of the comment: vendor, number, comments. */
  readonly comment?: Buffer;
  readonly pictures: readonly Buffer[];
  /** Where the tracks of a disc begin. */
  readonly cueSheet?: Buffer;
}

/** The blocks of a FLAC file that begins at a place. */
export const flacBlocks = async (peek: ReadAt, start: number): Promise<FlacBlocks> => {
  const found: { type: number; body: Buffer }[] = [];
  let at = start + 4;
  for (let blocks = 0; blocks < MAX_BLOCKS; blocks += 1) {
    const head = await peek(4, at);
    if (head.length < 4) break;
    const length = head.readUIntBE(1, 3);
    const type = (head[0] ?? 0) & 0x7f;
    if (type === 0 || type === COMMENT || type === CUESHEET) found.push({ type, body: await peek(length, at + 4) });
    at += 4 + length;
    if (((head[0] ?? 0) & 0x80) !== 0) break;
  }
  return blocksOf(found);
};

const blocksOf = (found: readonly { type: number; body: Buffer }[]): FlacBlocks => {
  const description = found.find(({ type }) => type === 0)?.body;
  const comment = found.find(({ type }) => type === COMMENT)?.body;
  const cueSheet = found.find(({ type }) => type === CUESHEET)?.body;
  const pictures = found.filter(({ type }) => type === 6).map(({ body }) => body);
  return { pictures, ...(cueSheet ? { cueSheet } : {}), ...(description ? { description } : {}), ...(comment ? { comment } : {}) };
};

/** The first packets of an Ogg stream, with a bound on their size. */
const oggPackets = async (peek: ReadAt, count: number): Promise<Buffer[]> => {
  const packets: Buffer[] = [];
  let open: Buffer[] = [];
  for (let at = 0; at < MAX_HEADER_BYTES && packets.length < count;) {
    const page = await peek(PAGE_BYTES, at);
    if (page.toString('latin1', 0, 4) !== 'OggS') break;
    const lacing = page.subarray(27, 27 + (page[26] ?? 0));
    let from = 27 + lacing.length;
    for (const length of lacing) {
      open.push(page.subarray(from, from + length));
      from += length;
      if (length === 255) continue;
      packets.push(Buffer.concat(open));
      open = [];
    }
    at += from;
  }
  return packets.slice(0, count);
};

/** The comment and, of FLAC, all blocks in the header packets of an Ogg stream. */
export const oggBlocks = async (peek: ReadAt): Promise<FlacBlocks> => {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = await oggPackets(peek, 2);
  const magic = first.toString('latin1', 0, 8);
  if (magic.startsWith('\x7fFLAC')) {
    const others = await oggPackets(peek, 1 + Math.min(MAX_BLOCKS, first.readUInt16BE(7) || 1));
    const blocks = others.slice(1).map((packet) => ({ type: (packet[0] ?? 0) & 0x7f, body: packet.subarray(4) }));
    return blocksOf([{ type: 0, body: first.subarray(17) }, ...blocks]);
  }
  if (magic === 'OpusHead') return { comment: second.subarray(8), pictures: [] };
  if (magic.startsWith('\x01vorbis')) return { comment: second.subarray(7), pictures: [] };
  return magic.startsWith('Speex') ? { comment: second, pictures: [] } : { pictures: [] };
};

const uint32Le = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** The lines `NAME=value` of a comment; what is beyond a broken length is left out. */
export const commentLines = (comment: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  if (comment.length < 8) return lines;
  let at = 4 + comment.readUInt32LE(0);
  if (at + 4 > comment.length) return lines;
  const count = comment.readUInt32LE(at);
  at += 4;
  for (let line = 0; line < count && at + 4 <= comment.length; line += 1) {
    const length = comment.readUInt32LE(at);
    if (at + 4 + length > comment.length) break;
    lines.push(comment.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return lines;
};

/** A description that parsers accept where there is none: the smallest FLAC of one sample. */
const emptyDescription = (): Buffer => {
  const description = Buffer.alloc(34);
  description.writeUInt16BE(4096, 0);
  description.writeUInt16BE(4096, 2);
  // 44,100 Hz, two channels, 16 bits, one sample.
  Buffer.from('0ac442f000000001', 'hex').copy(description, 10);
  return description;
};

/** A FLAC without sound that says the same: what a parser of FLAC makes of it, it would make of the file if it read such comments there. */
export const flacSaying = (blocks: FlacBlocks, lines: readonly string[]): Buffer => {
  const bodies = lines.map((line) => Buffer.from(line));
  const comment = Buffer.concat([uint32Le(0), uint32Le(bodies.length), ...bodies.flatMap((line) => [uint32Le(line.length), line])]);
  const all = [
    { type: 0, body: blocks.description ?? emptyDescription() },
    { type: COMMENT, body: comment },
    ...blocks.pictures.map((body) => ({ type: 6, body })),
  ];
  const written = all.flatMap(({ type, body }, at) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    head[0] = type | (at === all.length - 1 ? 0x80 : 0);
    return [head, body];
  });
  return Buffer.concat([Buffer.from('fLaC'), ...written]);
};
