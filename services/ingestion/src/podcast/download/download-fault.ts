/**
 * What a download can come to: `refused` will be no better next time, `disturbed` may be, and for `no-room` somebody has to make some. The message may be shown.
 */
export type DownloadTrouble = 'refused' | 'disturbed' | 'no-room';

/** A download that did not bring a file. */
export class DownloadFault extends Error {
  override readonly name = 'DownloadFault';
  constructor(
    readonly trouble: DownloadTrouble,
    message: string,
    /** What arrived before, and is kept for the next attempt. */
    readonly gainedBytes = 0,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
