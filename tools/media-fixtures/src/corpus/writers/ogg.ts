import { latin1, uint32Le } from './bytes.js';
import { commentBody, type Comments } from './comments.js';

const POLYNOMIAL = 0x04c11db7;
const table = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
  return crc >>> 0;
});

/** The checksum of a page (RFC 3533, section 6). */
const crcOf = (bytes: Buffer): number => {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) ^ (table[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
};

interface Page {
  readonly head: Buffer;
  readonly lacing: Buffer;
  readonly body: Buffer;
}

const pagesOf = (ogg: Buffer): Page[] => {
  const pages: Page[] = [];
  for (let at = 0; at + 27 <= ogg.length;) {
    const lacing = ogg.subarray(at + 27, at + 27 + (ogg[at + 26] ?? 0));
    const start = at + 27 + lacing.length;
    const end = start + lacing.reduce((sum, length) => sum + length, 0);
    pages.push({ head: ogg.subarray(at, at + 27), lacing, body: ogg.subarray(start, end) });
    at = end;
  }
  return pages;
};

const pageBytes = ({ head, lacing, body }: Page, number: number): Buffer => {
  const page = Buffer.concat([head.subarray(0, 18), uint32Le(number), Buffer.alloc(4), Buffer.from([lacing.length]), lacing, body]);
  page.writeUInt32LE(crcOf(page), 22);
  return page;
};

/** Pages that hold one packet each, with no position, as headers have none. */
const packetPages = (packet: Buffer, like: Buffer): Page[] => {
  const lengths = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255];
  const pages: Page[] = [];
  for (let at = 0; at < lengths.length; at += 255) {
    const head = Buffer.from(like);
    head[5] = at === 0 ? 0 : 1;
    const isWhole = at + 255 >= lengths.length;
    head.writeBigInt64LE(isWhole ? 0n : -1n, 6);
    pages.push({ head, lacing: Buffer.from(lengths.slice(at, at + 255)), body: packet.subarray(at * 255, (at + 255) * 255) });
  }
  return pages;
};

/** The packets of the header pages behind the first one, and on which page they end. */
const headerPackets = (pages: readonly Page[], count: number): { packets: Buffer[]; nextPage: number } => {
  const packets: Buffer[] = [];
  let open: Buffer = Buffer.alloc(0);
  let number = 1;
  for (; number < pages.length && packets.length < count; number += 1) {
    const { lacing, body } = pages[number] as Page;
    let at = 0;
    for (const length of lacing) {
      open = Buffer.concat([open, body.subarray(at, at + length)]);
      at += length;
      if (length === 255) continue;
      packets.push(open);
      open = Buffer.alloc(0);
    }
  }
  return { packets, nextPage: number };
};

/** Comment packet of each codec, by the magic of its first packet, and the number of header packets after it. */
const kinds: readonly { readonly magic: string; readonly headers: number; readonly wrap: (body: Buffer) => Buffer }[] = [
  { magic: '\x01vorbis', headers: 2, wrap: (body) => Buffer.concat([latin1('\x03vorbis'), body, Buffer.from([1])]) },
  { magic: 'OpusHead', headers: 1, wrap: (body) => Buffer.concat([latin1('OpusTags'), body]) },
  { magic: 'Speex   ', headers: 1, wrap: (body) => body },
  {
    magic: '\x7fFLAC',
    headers: 1,
    wrap: (body) => Buffer.concat([Buffer.from([0x84, body.length >>> 16, (body.length >>> 8) & 0xff, body.length & 0xff]), body]),
  },
];

/** An Ogg file with these comments in place of its own. @throws Error for a codec without a known comment packet */
export const withOggComments = (ogg: Buffer, tags: Comments): Buffer => {
  const pages = pagesOf(ogg);
  const first = pages[0] as Page;
  const kind = kinds.find(({ magic }) => first.body.subarray(0, magic.length).equals(latin1(magic)));
  if (!kind) throw new Error('this Ogg stream has no comments that can be written');
  const { packets, nextPage } = headerPackets(pages, kind.headers);
  const headers = [kind.wrap(commentBody(tags)), ...packets.slice(1)];
  const all = [first, ...headers.flatMap((packet) => packetPages(packet, first.head)), ...pages.slice(nextPage)];
  return Buffer.concat(all.map(pageBytes));
};
