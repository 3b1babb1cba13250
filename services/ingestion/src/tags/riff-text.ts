import { isUtf8 } from 'node:buffer';
import type { IAudioMetadata } from 'music-metadata';

type Tagged = Pick<IAudioMetadata, 'common' | 'native'>;

/** Under this name the parser gives the INFO chunks of a RIFF file. */
const RIFF_INFO = 'exif';

/** The text as UTF-8, when its bytes are that and not plain ASCII; the parser reads INFO chunks as one byte per character. */
const asUtf8 = (text: string): string | undefined => {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.toString('latin1') !== text || !bytes.some((byte) => byte > 0x7f)) return undefined;
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
};

const replaced = (value: unknown, texts: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, texts));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, texts)]));
};

/**
 * Reads the INFO tags of WAV files as what they are: the format names no encoding, and today's taggers write UTF-8. Bytes that are no UTF-8 stay in the western
 * set in which the parser reads them.
 */
export const withRiffText = <T extends Tagged>(metadata: T): T => {
  const texts = new Map<string, string>();
  for (const { value } of metadata.native[RIFF_INFO] ?? []) {
    const text = typeof value === 'string' ? asUtf8(value) : undefined;
    if (text !== undefined) texts.set(value as string, text);
  }
  if (texts.size === 0) return metadata;
  return {
    ...metadata,
    common: replaced(metadata.common, texts) as T['common'],
    native: { ...metadata.native, [RIFF_INFO]: replaced(metadata.native[RIFF_INFO], texts) as T['native'][string] },
  };
};
