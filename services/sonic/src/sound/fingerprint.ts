/** The sound of a file cannot be read: it is damaged, or holds none. The message says what ffmpeg said. */
export class NoSound extends Error {
  override readonly name = 'NoSound';
}

/** ffmpeg itself cannot be run here, which is no fault of the file. */
export class NoFfmpeg extends Error {
  override readonly name = 'NoFfmpeg';
}

/**
 * The SHA-256 (hex) of the first sound of a file as it is packed there: the same for the same sound, whatever tags and pictures stand around it.
 * @throws NoSound, NoFfmpeg; the reason of the signal
 */
export type Fingerprint = (path: string, signal: AbortSignal) => Promise<string>;
