import type { Sound } from './sound.js';
import { latin1, uint32, uint32Le, uint64, uint64Le } from './writers/bytes.js';

/** Formats that no free encoder writes: headers by the formats' descriptions over silence, right in all that a reader of tags looks at. */

const DSD_RATE_HZ = 2_822_400;
const RATE_HZ = 44_100;
const SECONDS = 2;

/** A DSF of two channels. */
const dsf = (): Buffer => {
  const data = Buffer.alloc((DSD_RATE_HZ * SECONDS * 2) / 8, 0x69);
  const words = (...values: readonly number[]): Buffer => Buffer.concat(values.map(uint32Le));
  const format = Buffer.concat([
    latin1('fmt '),
    uint64Le(52),
    words(1, 0, 2, 2, DSD_RATE_HZ, 1),
    uint64Le(DSD_RATE_HZ * SECONDS),
    words(4096, 0),
  ]);
  const sound = Buffer.concat([latin1('data'), uint64Le(data.length + 12), data]);
  return Buffer.concat([latin1('DSD '), uint64Le(28), uint64Le(28 + format.length + sound.length), uint64Le(0), format, sound]);
};

const chunk64 = (name: string, body: Buffer): Buffer => Buffer.concat([latin1(name), uint64(body.length), body]);

/** A DSDIFF of two channels. */
const dff = (): Buffer => {
  const properties = Buffer.concat([
    latin1('SND '),
    chunk64('FS  ', uint32(DSD_RATE_HZ)),
    chunk64('CHNL', Buffer.concat([Buffer.from([0, 2]), latin1('SLFTSRGT')])),
    chunk64('CMPR', Buffer.concat([latin1('DSD '), Buffer.from([14]), latin1('not compressed'), Buffer.alloc(1)])),
  ]);
  const body = Buffer.concat([
    latin1('DSD '),
    chunk64('FVER', uint32(0x01050000)),
    chunk64('PROP', properties),
    chunk64('DSD ', Buffer.alloc((DSD_RATE_HZ * SECONDS * 2) / 8, 0x69)),
  ]);
  return chunk64('FRM8', body);
};

/** A Monkey's Audio file of version 3.99. */
const ape = (): Buffer => {
  const frame = 73_728;
  const samples = RATE_HZ * SECONDS;
  const sound = Buffer.alloc(20_000);
  const descriptor = Buffer.concat([latin1('MAC '), ...[3990, 52, 24, 0, 0, sound.length, 0].map(uint32Le), Buffer.alloc(20)]);
  const header = Buffer.alloc(24);
  header.writeUInt16LE(2000, 0);
  header.writeUInt32LE(frame, 4);
  header.writeUInt32LE(samples - frame, 8);
  header.writeUInt32LE(2, 12);
  header.writeUInt16LE(16, 16);
  header.writeUInt16LE(2, 18);
  header.writeUInt32LE(RATE_HZ, 20);
  return Buffer.concat([descriptor, header, sound]);
};

/** A number as Musepack packs it: seven bits a byte. */
const packed = (value: number): number[] => (value < 128 ? [value] : [...packed(value >>> 7).map((byte) => byte | 0x80), value & 0x7f]);
const packet = (key: string, payload: Buffer): Buffer => {
  const short = payload.length + 3;
  const size = short < 128 ? packed(short) : packed(short + 1);
  return Buffer.concat([latin1(key), Buffer.from(size), payload]);
};

/** A Musepack file of stream version 8. */
const mpc8 = (): Buffer => {
  const header = Buffer.concat([uint32Le(0), Buffer.from([8, ...packed(RATE_HZ * SECONDS), 0, 0x1f, 0x1b])]);
  const sound = Array.from({ length: 20 }, () => packet('AP', Buffer.alloc(1000)));
  return Buffer.concat([latin1('MPCK'), packet('SH', header), ...sound, packet('SE', Buffer.alloc(0))]);
};

const common = { plays: false, durationMs: SECONDS * 1000 } as const;

/** Each by name. */
export const builtSounds: Readonly<Record<string, () => Sound>> = {
  dsf: () => ({
    suffix: 'dsf',
    plays: true,
    bytes: dsf(),
    expected: {
      format: 'dsf',
      mime: 'audio/x-dsf',
      codec: '',
      lossless: true,
      bitrateMode: 'cbr',
      sampleRateHz: DSD_RATE_HZ,
      channels: 2,
      bitDepth: 1,
      durationMs: common.durationMs,
    },
  }),
  dff: () => ({
    suffix: 'dff',
    plays: true,
    bytes: dff(),
    expected: {
      format: 'dff',
      mime: 'audio/x-dff',
      codec: 'dsd',
      lossless: true,
      bitrateMode: 'cbr',
      sampleRateHz: DSD_RATE_HZ,
      channels: 2,
      bitDepth: 1,
      durationMs: common.durationMs,
    },
  }),
  ape: () => ({
    suffix: 'ape',
    plays: common.plays,
    bytes: ape(),
    expected: {
      format: 'ape',
      mime: 'audio/x-ape',
      codec: '',
      lossless: true,
      bitrateMode: 'vbr',
      sampleRateHz: RATE_HZ,
      channels: 2,
      bitDepth: 16,
      durationMs: common.durationMs,
    },
  }),
  mpc: () => ({
    suffix: 'mpc',
    plays: common.plays,
    bytes: mpc8(),
    expected: {
      format: 'mpc',
      mime: 'audio/x-musepack',
      codec: '',
      lossless: false,
      bitrateMode: 'vbr',
      sampleRateHz: RATE_HZ,
      channels: 2,
      durationMs: common.durationMs,
    },
  }),
};
