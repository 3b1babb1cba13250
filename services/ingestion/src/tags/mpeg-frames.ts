const RATES_HZ = [44_100, 48_000, 32_000] as const;
/** Kilobits per second by column (version 1 layers 1, 2, 3, then version 2 layer 1 and layers 2/3) and index 1 to 14 (ISO 11172-3, 2.4.2.3). */
const KBITS: readonly (readonly number[])[] = [
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

/** Length in bytes of an MPEG audio frame whose header is at `at`; 0 when there is none. */
const mpegFrameBytes = (data: Uint8Array, at: number): number => {
  const [b1 = 0, b2 = 0] = [data[at + 1], data[at + 2]];
  const [version, layer, bitrate, rate] = [(b1 >> 3) & 3, 4 - ((b1 >> 1) & 3), b2 >> 4, (b2 >> 2) & 3];
  if (version === 1 || layer === 4 || bitrate === 0 || bitrate === 15 || rate === 3) return 0;
  const column = version === 3 ? layer - 1 : layer === 1 ? 3 : 4;
  const bits = (KBITS[column]?.[bitrate - 1] ?? 0) * 1000;
  const rateHz = (RATES_HZ[rate] ?? 1) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const padding = (b2 >> 1) & 1;
  if (layer === 1) return (Math.floor((12 * bits) / rateHz) + padding) * 4;
  return Math.floor(((layer === 3 && version !== 3 ? 72 : 144) * bits) / rateHz) + padding;
};

/** Where a frame of layer III may hold the word that makes it one about the file: behind the side information, whose length goes by version and channels, or at a fixed place. */
const INFO_PLACES = [13, 21, 36] as const;

/**
 * Length in bytes of a frame at the beginning of `data` that holds no sound, but what an encoder tells of the file: a Xing, Info or VBRI header. 0 when there is none.
 * @param data the first 64 bytes or more
 */
export const infoFrameBytes = (data: Buffer): number => {
  if (data[0] !== 0xff || ((data[1] ?? 0) & 0xe0) !== 0xe0) return 0;
  const isInfo = INFO_PLACES.some((at) => /^(?:Xing|Info|VBRI)$/.test(data.toString('latin1', at, at + 4)));
  return isInfo ? mpegFrameBytes(data, 0) : 0;
};

/** Length in bytes of an ADTS (AAC) frame at `at`; 0 when there is none (ISO 13818-7, 6.2). */
const adtsFrameBytes = (data: Uint8Array, at: number): number => {
  if (((data[at + 1] ?? 0) & 0xf6) !== 0xf0 || (((data[at + 2] ?? 0) >> 2) & 0x0f) > 12) return 0;
  return (((data[at + 3] ?? 0) & 3) << 11) | ((data[at + 4] ?? 0) << 3) | ((data[at + 5] ?? 0) >> 5);
};

/**
 * Looks for three frames in a row, so that a false match in random data is out of the question.
 * @returns what was found within the given bytes
 */
export const findFrames = (data: Uint8Array): 'mpeg' | 'adts' | undefined => {
  const follows = (at: number, length: (data: Uint8Array, at: number) => number): boolean => {
    let place = at;
    for (let frame = 0; frame < 3; frame += 1) {
      if (data[place] !== 0xff || ((data[place + 1] ?? 0) & 0xe0) !== 0xe0) return false;
      const bytes = length(data, place);
      if (bytes < 8) return false;
      place += bytes;
    }
    return true;
  };
  for (let at = data.indexOf(0xff); at >= 0 && at < data.length - 8; at = data.indexOf(0xff, at + 1)) {
    if (follows(at, adtsFrameBytes)) return 'adts';
    if (follows(at, mpegFrameBytes)) return 'mpeg';
  }
  return undefined;
};
