/** Longest stretch of sound between two titles that is read through, bytes. Stations use 8 to 64 KiB. */
const MAX_INTERVAL_BYTES = 128 * 1024;
/** A title may take so many blocks to come: most stations say it at once and then only when it changes. */
const MAX_BLOCKS = 2;
const UNIT_BYTES = 16;
const MAX_BLOCK_BYTES = 255 * UNIT_BYTES;
const TITLE_LENGTH = 255;

/** As many bytes as a title may take to come. */
export const MAX_ICY_BYTES = MAX_BLOCKS * (MAX_INTERVAL_BYTES + MAX_BLOCK_BYTES + 1);

/** Old stations write Latin-1, younger ones UTF-8, and neither says so. */
const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
};

/** `StreamTitle='…';StreamUrl='…';` – a title may hold quotes, so that only a quote before a semicolon ends it. */
const TITLE = /StreamTitle='(?<title>.*?)';/s;

/** The title in a block of ICY metadata, tidied; undefined when it says none. */
export const titleInBlock = (block: Uint8Array): string | undefined => {
  const title = TITLE.exec(textOf(block).replaceAll('\0', ''))?.groups?.['title'] ?? '';
  const tidy = title.replaceAll(/\p{C}+/gu, ' ').trim();
  return tidy === '' ? undefined : tidy.slice(0, TITLE_LENGTH).toWellFormed();
};

/** The bytes between two titles, from the header of an answer; undefined where a station sends no titles. */
export const icyInterval = (header: string | undefined): number | undefined => {
  const interval = /^\d{1,7}$/.test(header ?? '') ? Number(header) : 0;
  return interval > 0 && interval <= MAX_INTERVAL_BYTES ? interval : undefined;
};

/** Reads a stream up to its first title and no further. Undefined when it ends before, or says none in time. */
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
