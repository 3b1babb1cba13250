/**
 * Failure of a download: `refused` is permanent, `disturbed` may pass, `no-room` needs free space. The message may be shown.
 */
export type DownloadTrouble = 'refused' | 'disturbed' | 'no-room';

/** A download that did not bring a file. */
export class DownloadFault extends Error {
  override readonly name = 'DownloadFault';
  constructor(
    readonly trouble: DownloadTrouble,
    message: string,
    /** Bytes that arrived and are kept for the next attempt. */
    readonly gainedBytes = 0,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
