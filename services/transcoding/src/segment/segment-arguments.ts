import type { TranscodeTarget } from '@continuo/contracts';
import { gainFilter } from '../target/sound-arguments.js';
import { joinedSegment, type JoinedSegment } from './joined-segment.js';
import { runUpMs } from './run-up.js';

/** The rate at which the frames of AAC fit the lengths of segments. */
const USUAL_RATE_HZ = 48_000;
const USUAL_CHANNELS = 2;
const USUAL_KBPS = 160;

const seconds = (value: number): string => value.toFixed(6);

/** Join of a transport-stream target with the one before it; undefined for sound that is copied, whose frames lie where they lie. */
export const segmentJoinOf = (target: TranscodeTarget, path: string): JoinedSegment | undefined => {
  if (target.format !== 'ts' || target.copySound === true) return undefined;
  const { offsetMs, lengthMs, picture, sampleRateHz = USUAL_RATE_HZ } = target;
  return joinedSegment({ offsetMs, lengthMs, runUpMs: picture ? runUpMs(path, offsetMs) : 0 }, sampleRateHz);
};

/** Packets that only lead in or follow are thrown away; what is told apart is their place in the order. */
const keptPackets = ({ firstPacket, endPacket }: JoinedSegment): readonly string[] => {
  const dropped = [
    ...(firstPacket > 0 ? [String.raw`lt(n\,${firstPacket})`] : []),
    ...(endPacket === undefined ? [] : [String.raw`gte(n\,${endPacket})`]),
  ];
  return dropped.length === 0 ? [] : ['-bsf:a', `noise=drop=${dropped.join('+')}`];
};

/** ffmpeg arguments for the sound of a segment. It begins with the segment whatever the source does, and gaps in it are filled, so that frames can be counted. */
export const segmentSound = (target: TranscodeTarget, joining: JoinedSegment): readonly string[] => {
  const rateHz = target.sampleRateHz ?? USUAL_RATE_HZ;
  const { soundFromS, soundToS } = joining;
  const part = `atrim=start=${seconds(soundFromS)}${soundToS === undefined ? '' : `:end=${seconds(soundToS)}`}`;
  // The first time is counted in samples of what comes in, so that it is resampled before.
  const resampling = `aresample=${rateHz},aresample=async=1:first_pts=${Math.round(soundFromS * rateHz)}`;
  return [
    '-c:a',
    'aac',
    '-b:a',
    `${target.bitrateKbps ?? USUAL_KBPS}k`,
    '-ar',
    String(rateHz),
    '-ac',
    String(target.channels ?? USUAL_CHANNELS),
    '-af',
    [part, resampling, ...gainFilter(target)].join(','),
    ...keptPackets(joining),
  ];
};

/** Cuts the picture to the segment. */
export const segmentPicture = ({ pictureFromS, pictureToS }: JoinedSegment): string =>
  `trim=start=${seconds(pictureFromS)}${pictureToS === undefined ? '' : `:end=${seconds(pictureToS)}`}`;

/** Where reading starts. */
export const segmentInput = ({ seekS }: JoinedSegment): readonly string[] => (seekS > 0 ? ['-ss', seconds(seekS)] : []);

/**
 * Frames of sound share packets of the stream as long as they lie within half of this, seconds. With none of it each frame begins packets of its own, and the rest of them is
 * filled up: sound of 64 kbit/s took 169.
 */
const MUX_DELAY_S = 0.2;
/** By so much times come out later than they are, for each of these seconds: the muxer leaves room for decoders. */
const SHIFT_PER_DELAY = 2;
/**
 * Interval of the program tables, seconds: once in a segment, and in what is not cut into segments as often as somebody who jumps into it needs. Ten times a
 * second, as usual, takes as much as sound of 30 kbit/s.
 */
const TABLES_EVERY_S = '10';

/** Length of the read and the container: time stamps go on where those of the segment before end, and each says that its counters start anew. */
export const segmentOutput = ({ soundToS, timestampS }: JoinedSegment): readonly string[] => [
  ...(soundToS === undefined ? [] : ['-t', seconds(soundToS)]),
  '-muxdelay',
  String(MUX_DELAY_S),
  '-muxpreload',
  '0',
  '-pat_period',
  TABLES_EVERY_S,
  '-sdt_period',
  TABLES_EVERY_S,
  '-output_ts_offset',
  seconds(timestampS - SHIFT_PER_DELAY * MUX_DELAY_S),
  '-mpegts_flags',
  '+initial_discontinuity',
  '-f',
  'mpegts',
];
