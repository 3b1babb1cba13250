/** Bytes of one file, by place. */
export type ReadAt = (length: number, position: number) => Promise<Buffer>;

/** Longest text frame that is looked at; names and comments are shorter. */
const MAX_TEXT_BYTES = 20_000;
const MAX_FRAMES = 500;
const LATIN1 = 0;

/** Where the text of a frame begins, behind encoding, language and the like. */
const textFrame = /^(?:T|COM|ULT|USLT)/;

/**
 * The texts of an ID3v2 tag that call themselves Latin-1: what broken taggers put other character sets under. Tags with unsynchronisation are passed over, for
 * such text is plain there.
 */
export const id3Latin1Texts = async (peek: ReadAt, start: number): Promise<Buffer[]> => {
  const head = await peek(10, start);
  const [version = 0, , flags = 0] = head.subarray(3);
  if (head.toString('latin1', 0, 3) !== 'ID3' || flags !== 0 || version < 2 || version > 4) return [];
  const syncsafe = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  const end = start + 10 + syncsafe(head.subarray(6, 10));
  const [idBytes, headBytes] = version === 2 ? [3, 6] : [4, 10];
  const texts: Buffer[] = [];
  let at = start + 10;
  for (let frames = 0; frames < MAX_FRAMES && at + headBytes < end; frames += 1) {
    const frame = await peek(headBytes, at);
    const id = frame.toString('latin1', 0, idBytes);
    if (!/^[A-Z0-9]+$/.test(id)) break;
    const sizeField = frame.subarray(idBytes, idBytes + (version === 2 ? 3 : 4));
    const size = version === 4 ? syncsafe(sizeField) : sizeField.readUIntBE(0, sizeField.length);
    if (textFrame.test(id) && size > 1 && size <= MAX_TEXT_BYTES) {
      const content = await peek(size, at + headBytes);
      if (content[0] === LATIN1) texts.push(...splitAtNul(content.subarray(id.startsWith('T') ? 1 : 4)));
    }
    at += headBytes + size;
  }
  return texts;
};

const splitAtNul = (bytes: Buffer): Buffer[] => {
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(0, from);
    const to = found < 0 ? bytes.length : found;
    if (to > from) parts.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return parts;
};

const APE_FOOTER_BYTES = 32;
const MAX_APE_BYTES = 8_000_000;
const MAX_ITEMS = 1000;

/** The texts of an APE tag at the end of a file, or in front of an ID3v1 tag there. */
export const apeTexts = async (peek: ReadAt, sizeBytes: number): Promise<Buffer[]> => {
  for (const end of [sizeBytes, sizeBytes - 128]) {
    if (end < APE_FOOTER_BYTES) continue;
    const footer = await peek(APE_FOOTER_BYTES, end - APE_FOOTER_BYTES);
    if (footer.toString('latin1', 0, 8) !== 'APETAGEX') continue;
    const [length, count] = [footer.readUInt32LE(12), footer.readUInt32LE(16)];
    if (length > MAX_APE_BYTES || length > end) return [];
    return apeItems(await peek(length - APE_FOOTER_BYTES, end - length), Math.min(count, MAX_ITEMS));
  }
  return [];
};

const apeItems = (bytes: Buffer, count: number): Buffer[] => {
  const texts: Buffer[] = [];
  let at = 0;
  for (let item = 0; item < count && at + 8 < bytes.length; item += 1) {
    const length = bytes.readUInt32LE(at);
    const isText = (bytes.readUInt32LE(at + 4) & 6) === 0;
    const nameEnd = bytes.indexOf(0, at + 8);
    if (nameEnd < 0) break;
    if (isText) texts.push(...splitAtNul(bytes.subarray(nameEnd + 1, nameEnd + 1 + length)));
    at = nameEnd + 1 + length;
  }
  return texts;
};
