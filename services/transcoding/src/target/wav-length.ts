/** More than ffmpeg writes before the sound. */
export const WAV_HEADER_BYTES = 4096;

/** Sizes are 32 bits wide; what is larger keeps the mark of an unknown length. */
const MOST_BYTES = 0xff_ff_ff_ff;
const CHUNK_HEAD_BYTES = 8;

/** The two sizes that a RIFF/WAVE file has to hold, and where; none for what is no such file, or too large for it. */
export const wavSizes = (header: Buffer, fileBytes: number): { position: number; sizeBytes: number }[] => {
  if (header.toString('latin1', 0, 4) !== 'RIFF' || header.toString('latin1', 8, 12) !== 'WAVE') return [];
  if (fileBytes - CHUNK_HEAD_BYTES >= MOST_BYTES) return [];
  for (let at = 12; at + CHUNK_HEAD_BYTES <= header.length;) {
    const body = at + CHUNK_HEAD_BYTES;
    if (header.toString('latin1', at, at + 4) === 'data')
      return [
        { position: 4, sizeBytes: fileBytes - CHUNK_HEAD_BYTES },
        { position: at + 4, sizeBytes: fileBytes - body },
      ];
    const size = header.readUInt32LE(at + 4);
    at = body + size + (size % 2);
  }
  return [];
};
