/** A number of 32 bits, most significant byte first. */
export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};

/** The same, least significant byte first. */
export const uint32Le = (value: number): Buffer => uint32(value).swap32();

/** A number of 16 bits, least significant byte first. */
export const uint16Le = (value: number): Buffer => Buffer.from([value & 0xff, (value >>> 8) & 0xff]);

/** A number of 64 bits, least significant byte first. */
export const uint64Le = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** A number of 64 bits, most significant byte first. */
export const uint64 = (value: number): Buffer => uint64Le(value).swap64();

/** Text in UTF-8. */
export const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Text of one byte per character. */
export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Bytes with a NUL behind them when their number is odd, as RIFF and IFF want it. */
export const padToEven = (bytes: Buffer): Buffer => (bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]));
