import type { ReadAt } from './raw-tags.js';

/** Sizes of a WAV beyond 4 GB (EBU Tech 3306). */
export interface Rf64 {
  /** Bytes that stand for the file's first ones, in the form of a plain WAV, for readers that know only that. */
  readonly head: Buffer;
  readonly dataBytes: number;
}

const HEAD_BYTES = 4096;
/** Sizes that do not fit into 32 bits are written as all ones. */
const MAX_PLAIN_BYTES = 0xffff_fff0;

/** Reads the sizes of an RF64 (or Broadcast `BW64`) file; undefined for every other one. */
export const rf64 = async (peek: ReadAt): Promise<Rf64 | undefined> => {
  const head = Buffer.from(await peek(HEAD_BYTES, 0));
  if (!['RF64', 'BW64'].includes(head.toString('latin1', 0, 4)) || head.toString('latin1', 12, 16) !== 'ds64' || head.length < 48)
    return undefined;
  const [riffBytes, dataBytes] = [Number(head.readBigUInt64LE(20)), Number(head.readBigUInt64LE(28))];
  for (let at = 12; at + 8 <= head.length; at += 8 + padToEven(head.readUInt32LE(at + 4))) {
    if (head.toString('latin1', at, at + 4) !== 'data') continue;
    head.write('RIFF', 0, 'latin1');
    head.writeUInt32LE(Math.min(riffBytes, MAX_PLAIN_BYTES), 4);
    head.write('JUNK', 12, 'latin1');
    head.writeUInt32LE(Math.min(dataBytes, MAX_PLAIN_BYTES), at + 4);
    return { head, dataBytes };
  }
  return undefined;
};

const padToEven = (size: number): number => size + (size % 2);
