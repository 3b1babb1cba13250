/** A form that is asked for. */
export interface MatrixTarget {
  /** Of the sound, as ffprobe names it. */
  readonly codec: string;
  /** Requested bitrate, kbit/s; absent for lossless formats. */
  readonly kbps?: number;
}

/** The forms that are asked for. */
export const targets = {
  mp3: { codec: 'mp3', kbps: 128 },
  opus: { codec: 'opus', kbps: 96 },
  ogg: { codec: 'vorbis', kbps: 128 },
  aac: { codec: 'aac', kbps: 128 },
  flac: { codec: 'flac' },
  wav: { codec: 'pcm_s16le' },
} as const satisfies Readonly<Record<string, MatrixTarget>>;
export type TargetName = keyof typeof targets;
export const targetNames = Object.keys(targets) as TargetName[];
