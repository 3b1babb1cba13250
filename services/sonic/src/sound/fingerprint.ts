/** The sound of a file cannot be read: it is damaged, or holds none. The message says what ffmpeg said. */
export class UndecodableAudio extends Error {
  override readonly name = 'UndecodableAudio';
}

/** ffmpeg itself cannot be run here, which is no fault of the file. */
export class FfmpegUnavailable extends Error {
  override readonly name = 'FfmpegUnavailable';
}

/**
 * The SHA-256 (hex) of the first sound of a file as it is packed there: the same for the same sound, whatever tags and pictures stand around it.
 * @throws UndecodableAudio, FfmpegUnavailable; the reason of the signal
 */
export type Fingerprint = (path: string, signal: AbortSignal) => Promise<string>;
