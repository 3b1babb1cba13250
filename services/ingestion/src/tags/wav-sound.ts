import type { ReadAt } from './raw-tags.js';

const HEAD_BYTES = 4096;
const EXTENSIBLE = 0xfffe;
/** Where the extended form of a format names what the samples really are, behind the start of the chunk's content. */
const SUB_FORMAT_AT = 24;
/** Names of formats by number. */
const NAMES: Readonly<Record<number, string>> = { 1: 'PCM', 2: 'ADPCM', 3: 'IEEE_FLOAT', 6: 'ALAW', 7: 'MULAW' };

/** The codec of a WAV whose header has the extended form, which the parser names for integers only. */
export const extendedWavCodec = async (peek: ReadAt): Promise<{ codec?: string }> => {
  const head = await peek(HEAD_BYTES, 0);
  for (let at = 12; at + 8 + SUB_FORMAT_AT + 2 <= head.length;) {
    const size = head.readUInt32LE(at + 4);
    if (head.toString('latin1', at, at + 4) === 'fmt ') {
      const codec = size >= 40 && head.readUInt16LE(at + 8) === EXTENSIBLE ? NAMES[head.readUInt16LE(at + 8 + SUB_FORMAT_AT)] : undefined;
      return codec === undefined ? {} : { codec };
    }
    at += 8 + size + (size % 2);
  }
  return {};
};
