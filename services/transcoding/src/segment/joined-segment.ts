/** A part of a medium, milliseconds; without a length it goes on to the end. */
export interface SegmentPart {
  readonly offsetMs: number;
  readonly lengthMs?: number | undefined;
  /** Run-up that the pictures need, ms. */
  readonly runUpMs?: number;
}

/** ffmpeg values by which a segment joins the one before it. */
export interface JoinedSegment {
  /** Where in the source reading starts, seconds. */
  readonly seekS: number;
  /** Where the sound begins within what is read, seconds. */
  readonly soundFromS: number;
  /** Where it ends there, seconds; absent: at the end. */
  readonly soundToS?: number;
  /** Offset of every time stamp, seconds. */
  readonly timestampS: number;
  /** Where the picture begins within what is read, and where it ends; seconds. */
  readonly pictureFromS: number;
  readonly pictureToS?: number;
  /** Packets of AAC: the first that is kept, and the first that is not kept any more; counted from 0. */
  readonly firstPacket: number;
  readonly endPacket?: number;
}

const MS_PER_S = 1000;
/** Samples of one frame of AAC. */
const FRAME_SAMPLES = 1024;
/**
 * A frame of AAC is decoded with the one before it, and the first one of an encoder has none. So the encoder starts earlier, and what it makes of that is thrown
 * away: 15 frames at 48 kHz, which is a whole number of samples at all usual rates, so that the samples of a segment are taken at the very same times.
 */
const LEAD_MS = 320;
/** Frames that the encoder holds back; they are read beyond the end and thrown away as well. */
const TAIL_FRAMES = 3;
/** Time stamps do not start at 0, because those of decoding lie before those of showing. */
const FIRST_TIMESTAMP_S = 10;

/**
 * Segments are made by one ffmpeg each, whenever they are asked for. Here is how they join all the same: the sound to the sample, the pictures to the frame, with
 * time stamps that go on. The sound must be AAC at `sampleRateHz`; lengths should be a whole number of its frames (8 s at 48 kHz).
 */
export const joinedSegment = ({ offsetMs, lengthMs, runUpMs = 0 }: SegmentPart, sampleRateHz: number): JoinedSegment => {
  const leadMs = offsetMs >= LEAD_MS ? LEAD_MS : 0;
  const framesIn = (ms: number): number => Math.round((ms * sampleRateHz) / MS_PER_S / FRAME_SAMPLES);
  // The first packet of an encoder holds nothing yet but what the next one needs; at the very beginning that is silence, and harmless.
  const firstPacket = offsetMs === 0 ? 0 : 1 + framesIn(leadMs);
  const soundFromMs = Math.min(runUpMs, offsetMs - leadMs);
  const seekS = (offsetMs - leadMs - soundFromMs) / MS_PER_S;
  const pictureFromMs = soundFromMs + leadMs;
  const joined = {
    seekS,
    timestampS: seekS + FIRST_TIMESTAMP_S,
    soundFromS: soundFromMs / MS_PER_S,
    pictureFromS: pictureFromMs / MS_PER_S,
    firstPacket,
  };
  if (lengthMs === undefined) return joined;
  const tailMs = (TAIL_FRAMES * FRAME_SAMPLES * MS_PER_S) / sampleRateHz;
  return {
    ...joined,
    soundToS: (pictureFromMs + lengthMs + tailMs) / MS_PER_S,
    pictureToS: (pictureFromMs + lengthMs) / MS_PER_S,
    endPacket: 1 + framesIn(leadMs) + framesIn(lengthMs),
  };
};
