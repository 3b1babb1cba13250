/** Content type by the first bytes of a file. `mime` selects the parser. */
export type ContentKind =
  | { readonly kind: 'audio'; readonly mime: string }
  /** An ID3v2 tag, in front of MPEG audio or of another format. */
  | { readonly kind: 'tagged'; readonly tagBytes: number }
  | { readonly kind: 'other'; readonly what: string }
  | { readonly kind: 'unknown' };

/** Bytes that {@link contentKind} wants to see. */
export const HEAD_BYTES = 64;

interface Signature {
  readonly at?: number;
  readonly bytes: string;
  readonly also?: { readonly at: number; readonly oneOf: readonly string[] };
}

const audioSignatures: readonly (Signature & { mime: string })[] = [
  { bytes: 'fLaC', mime: 'audio/flac' },
  { bytes: 'OggS', mime: 'audio/ogg' },
  { bytes: 'RIFF', also: { at: 8, oneOf: ['WAVE'] }, mime: 'audio/wav' },
  { bytes: 'RF64', also: { at: 8, oneOf: ['WAVE'] }, mime: 'audio/wav' },
  { bytes: 'FORM', also: { at: 8, oneOf: ['AIFF', 'AIFC'] }, mime: 'audio/aiff' },
  { at: 4, bytes: 'ftyp', mime: 'audio/mp4' },
  { bytes: '\x30\x26\xb2\x75\x8e\x66\xcf\x11', mime: 'audio/x-ms-wma' },
  { bytes: 'MAC ', mime: 'audio/ape' },
  { bytes: 'wvpk', mime: 'audio/wavpack' },
  { bytes: 'MPCK', mime: 'audio/musepack' },
  { bytes: 'MP+', mime: 'audio/musepack' },
  { bytes: 'DSD ', mime: 'audio/dsf' },
  { bytes: 'FRM8', mime: 'audio/dff' },
  { bytes: '\x1a\x45\xdf\xa3', mime: 'audio/matroska' },
];

const otherSignatures: readonly (Signature & { what: string })[] = [
  { bytes: '\xff\xd8\xff', what: 'a JPEG picture' },
  { bytes: '\x89PNG', what: 'a PNG picture' },
  { bytes: 'GIF8', what: 'a GIF picture' },
  { bytes: 'RIFF', also: { at: 8, oneOf: ['WEBP'] }, what: 'a WebP picture' },
  { bytes: 'RIFF', also: { at: 8, oneOf: ['AVI '] }, what: 'an AVI video' },
  { bytes: '%PDF', what: 'a PDF document' },
  { bytes: 'PK\x03\x04', what: 'a ZIP archive' },
  { bytes: 'Rar!', what: 'a RAR archive' },
  { bytes: '7z\xbc\xaf', what: 'a 7-Zip archive' },
  { bytes: '\x1f\x8b', what: 'a gzip archive' },
  { bytes: '\x7fELF', what: 'a program' },
  { bytes: '<!DOCTYPE', what: 'an HTML page' },
  { bytes: '<html', what: 'an HTML page' },
  { bytes: '<?xml', what: 'an XML document' },
];

const matches = (head: Buffer, signature: Signature): boolean => {
  const has = (text: string, at: number): boolean => head.toString('latin1', at, at + text.length) === text;
  if (!has(signature.bytes, signature.at ?? 0)) return false;
  return signature.also === undefined || signature.also.oneOf.some((text) => has(text, signature.also?.at ?? 0));
};

/** Length of an ID3v2 tag with its header and footer (ID3v2.4 structure, section 3.1). */
const id3Bytes = (head: Buffer): number => {
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);
  return size + 10 + ((head[5] ?? 0) & 0x10 ? 10 : 0);
};

/** Recognises a file by its first {@link HEAD_BYTES} bytes. */
export const contentKind = (bytes: Uint8Array): ContentKind => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const audio = audioSignatures.find((signature) => matches(head, signature));
  if (audio) return { kind: 'audio', mime: audio.mime };
  if (head.toString('latin1', 0, 3) === 'ID3') return { kind: 'tagged', tagBytes: id3Bytes(head) };
  const other = otherSignatures.find((signature) => matches(head, signature));
  return other ? { kind: 'other', what: other.what } : { kind: 'unknown' };
};
