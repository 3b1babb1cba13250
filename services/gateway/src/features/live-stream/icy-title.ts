/** Longest metadata interval that is read, bytes. Stations use 8 to 64 KiB. */
const MAX_INTERVAL_BYTES = 128 * 1024;
/** Metadata blocks read before giving up: most stations send the title in the first one and then only when it changes. */
const MAX_BLOCKS = 2;
const UNIT_BYTES = 16;
const MAX_BLOCK_BYTES = 255 * UNIT_BYTES;
const TITLE_LENGTH = 255;

/** Most bytes read for a title. */
export const MAX_ICY_BYTES = MAX_BLOCKS * (MAX_INTERVAL_BYTES + MAX_BLOCK_BYTES + 1);

/** Decodes UTF-8, else Latin-1: the protocol names no encoding. */
const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
};

/** `StreamTitle='…';StreamUrl='…';` – a title may contain quotes, so it ends at a quote before a semicolon. */
const TITLE = /StreamTitle='(?<title>.*?)';/s;

/** Title in a block of ICY metadata; undefined when it has none. */
export const titleInBlock = (block: Uint8Array): string | undefined => {
  const title = TITLE.exec(textOf(block).replaceAll('\0', ''))?.groups?.['title'] ?? '';
  const tidy = title.replaceAll(/\p{C}+/gu, ' ').trim();
  return tidy === '' ? undefined : tidy.slice(0, TITLE_LENGTH).toWellFormed();
};

/** Metadata interval of the `icy-metaint` header, bytes; undefined without metadata. */
export const icyInterval = (header: string | undefined): number | undefined => {
  const interval = /^\d{1,7}$/.test(header ?? '') ? Number(header) : 0;
  return interval > 0 && interval <= MAX_INTERVAL_BYTES ? interval : undefined;
};

/** Reads a stream up to its first title. Undefined when it ends before, or has no title within the limit. */
export const readIcyTitle = async (stream: AsyncIterable<Uint8Array>, interval: number): Promise<string | undefined> => {
  let pending = Buffer.alloc(0);
  let blocks = 0;
  for await (const chunk of stream) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length > interval) {
      const length = (pending[interval] ?? 0) * UNIT_BYTES;
      const end = interval + 1 + length;
      if (pending.length < end) break;
      const title = titleInBlock(pending.subarray(interval + 1, end));
      blocks += 1;
      if (title !== undefined || blocks === MAX_BLOCKS) return title;
      pending = pending.subarray(end);
    }
  }
  return undefined;
};
