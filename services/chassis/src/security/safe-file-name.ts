/** Longest name, bytes of UTF-8: file systems take 255, and suffixes and numbers may follow. */
const MAX_BYTES = 200;
/** Names that Windows keeps for devices, with any suffix. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Options for safe file names. */
export interface SafeNameOptions {
  readonly maxBytes?: number;
  /** Stands in for a name of which nothing is left. */
  readonly whenEmpty?: string;
}

const cutToBytes = (text: string, maxBytes: number): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text).subarray(0, maxBytes);
  // A character that was cut in two ends as a replacement.
  return bytes.toString('utf8').replace(/\ufffd+$/, '');
};

/**
 * A text as one segment of a path on any system: without separators, controls and what Windows forbids, not hidden, without blanks and dots at its end, never empty, and not too
 * long. For every name that somebody else's text goes into and that a client, an archive or this server saves by.
 */
export const safeFileName = (text: string, { maxBytes = MAX_BYTES, whenEmpty = '_' }: SafeNameOptions = {}): string => {
  const clean = text
    .normalize('NFC')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .replaceAll(/["*/:<>?\\|]/g, '_')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\.+/, '_')
    .replace(DEVICE, '_$&');
  return cutToBytes(clean, maxBytes).replace(/[. ]+$/, '') || whenEmpty;
};

/** The safe name of a file with a suffix, which stays whole however long the rest is. */
export const safeFileNameOf = (name: string, suffix: string): string => `${safeFileName(name)}.${safeFileName(suffix, { maxBytes: 16 })}`;
