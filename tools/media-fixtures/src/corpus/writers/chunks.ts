import { padToEven, latin1, uint32, uint32Le, uint64, uint64Le } from './bytes.js';

/** Chunks of a RIFF INFO list; bytes stand for text that is no UTF-8. */
export type InfoChunks = readonly (readonly [name: string, value: string | Buffer])[];

/** A WAV with a further chunk at its end. */
const withRiffChunk = (wav: Buffer, name: string, body: Buffer): Buffer => {
  const whole = Buffer.concat([wav, latin1(name), uint32Le(body.length), padToEven(body)]);
  uint32Le(whole.length - 8).copy(whole, 4);
  return whole;
};

/** A WAV with an INFO list at its end. */
export const withInfo = (wav: Buffer, chunks: InfoChunks): Buffer => {
  const list = chunks.map(([name, value]) => {
    const text = Buffer.concat([typeof value === 'string' ? Buffer.from(value) : value, Buffer.alloc(1)]);
    return Buffer.concat([latin1(name), uint32Le(text.length), padToEven(text)]);
  });
  return withRiffChunk(wav, 'LIST', Buffer.concat([latin1('INFO'), ...list]));
};

/** A WAV with an ID3 tag at its end. */
export const withRiffId3 = (wav: Buffer, tag: Buffer): Buffer => withRiffChunk(wav, 'id3 ', tag);

/** An AIFF with an ID3 tag at its end. */
export const withAiffId3 = (aiff: Buffer, tag: Buffer): Buffer => {
  const whole = Buffer.concat([aiff, latin1('ID3 '), uint32(tag.length), padToEven(tag)]);
  uint32(whole.length - 8).copy(whole, 4);
  return whole;
};

/** A DSF with an ID3 tag at its end, whose place its header names. */
export const withDsfId3 = (dsf: Buffer, tag: Buffer): Buffer => {
  const whole = Buffer.concat([dsf, tag]);
  uint64Le(whole.length).copy(whole, 12);
  uint64Le(dsf.length).copy(whole, 20);
  return whole;
};

/** A DSDIFF with an ID3 tag in a chunk at its end. */
export const withDffId3 = (dff: Buffer, tag: Buffer): Buffer => {
  const whole = Buffer.concat([dff, latin1('ID3 '), uint64(tag.length), padToEven(tag)]);
  uint64(whole.length - 12).copy(whole, 4);
  return whole;
};
