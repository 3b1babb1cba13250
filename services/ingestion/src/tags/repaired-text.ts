import { isUtf8 } from 'node:buffer';
import type { IAudioMetadata } from 'music-metadata';
import { readTagsIn } from './bounded-tags.js';
import { charsetOf, textIn } from './foreign-text.js';
import { apeTexts, id3Latin1Texts, type ReadAt } from './raw-tags.js';
import { commentLines, flacBlocks, flacSaying, oggBlocks, type FlacBlocks } from './vorbis-block.js';

/** Under this name the parser gives the INFO chunks of a RIFF file, one byte per character. */
const RIFF_INFO = 'exif';
/** Tag types without a declared character set, one byte per character. */
const UNDECLARED = [RIFF_INFO, 'ID3v1'];
const BROKEN = '\u{fffd}';

/** Source of the text repair of a file. */
export interface TextSource {
  readonly peek: ReadAt;
  readonly sizeBytes: number;
  /** Bytes of an ID3v2 tag in front of the sound. */
  readonly tagBytes: number;
  /** Character set of text that is no UTF-8, or `auto`. */
  readonly encoding: string;
}

type Texts = Map<string, string>;

const everyText = function* (value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* everyText(item);
  else if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    for (const item of Object.values(value)) yield* everyText(item);
};

const replaced = (value: unknown, texts: Texts): unknown => {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, texts));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, texts)]));
};

/** The bytes of a text of one byte per character, when it has any beyond ASCII. */
const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'latin1');
  return bytes.some((byte) => byte > 0x7f) && bytes.toString('latin1') === text ? bytes : undefined;
};

/** Raw bytes by what the parser made of them: whole texts and, as version 2.3 of ID3 separates names, their parts between slashes. */
const addRaw = (texts: Texts, raw: readonly Buffer[], decode: (bytes: Buffer) => string, encoding: string): void => {
  const foreign = raw.filter((bytes) => bytes.some((byte) => byte > 0x7f));
  const charset = charsetOf(
    foreign.filter((bytes) => !isUtf8(bytes)),
    encoding,
  );
  for (const bytes of foreign) {
    const [before, after] = [decode(bytes), textIn(bytes, charset)];
    if (before === after) continue;
    texts.set(before.trimEnd(), after.trimEnd());
    texts.set(before, after);
    const [parts, repairedParts] = [before.split('/'), after.split('/')];
    if (parts.length > 1 && parts.length === repairedParts.length)
      parts.forEach((part, at) => texts.set(part.trim(), (repairedParts[at] ?? '').trim()));
  }
};

const utf8 = (bytes: Buffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const latin1 = (bytes: Buffer): string => bytes.toString('latin1');

/** UTF-8 that somebody took for western text and wrote as UTF-8 once more: such sequences of signs are no words of any language. */
const addTwiceEncoded = (texts: Texts, metadata: IAudioMetadata): void => {
  for (const text of everyText(metadata.native)) {
    const bytes = texts.has(text) ? undefined : bytesOf(text);
    if (bytes && isUtf8(bytes)) texts.set(text, bytes.toString('utf8'));
  }
};

const hasBrokenText = (metadata: IAudioMetadata, type: string): boolean => {
  for (const text of everyText(metadata.native[type]?.map(({ value }) => value) ?? [])) if (text.includes(BROKEN)) return true;
  return false;
};

const blocksIn = async (metadata: IAudioMetadata, peek: ReadAt, tagBytes: number): Promise<FlacBlocks> =>
  /^ogg/i.test(metadata.format.container ?? '') ? oggBlocks(peek) : flacBlocks(peek, tagBytes);

/** Comments are read again where they are no UTF-8, and where the parser does not read them (FLAC in Ogg). */
const withComments = async (metadata: IAudioMetadata, peek: ReadAt, source: TextSource): Promise<IAudioMetadata> => {
  const { container = '', codec = '' } = metadata.format;
  const isUnread = /^ogg/i.test(container) && /flac/i.test(codec) && metadata.native['vorbis'] === undefined;
  if (!isUnread && !hasBrokenText(metadata, 'vorbis')) return metadata;
  const blocks = await blocksIn(metadata, peek, source.tagBytes);
  const lines = blocks.comment ? commentLines(blocks.comment) : [];
  const charset = charsetOf(
    lines.filter((line) => !isUtf8(line)),
    source.encoding,
  );
  const { metadata: again } = await readTagsIn(
    flacSaying(
      blocks,
      lines.map((line) => textIn(line, charset)),
    ),
    { mimeType: 'audio/flac' },
  );
  const picture = metadata.common.picture ?? again.common.picture;
  return { ...metadata, common: { ...again.common, ...(picture ? { picture } : {}) }, native: { ...metadata.native, ...again.native } };
};

/**
 * The same tags with their text as it was meant. Repaired are: comments (FLAC, Ogg) and APE items that are no UTF-8; text of ID3 that calls itself Latin-1 and is
 * not; INFO chunks and ID3v1, which name no character set; and UTF-8 that was encoded twice. What is UTF-8 is read as that, everything else by the rule.
 */
export const withRepairedText = async (given: IAudioMetadata, source: TextSource): Promise<IAudioMetadata> => {
  const { peek } = source;
  const metadata = await withComments(given, peek, source);
  const { native } = metadata;
  const texts: Texts = new Map();
  const undeclared = UNDECLARED.flatMap((type) => [...everyText((native[type] ?? []).map(({ value }) => value))]);
  const singleBytes = undeclared.flatMap((text) => bytesOf(text) ?? []);
  if (native['ID3v2.2'] || native['ID3v2.3'] || native['ID3v2.4']) singleBytes.push(...(await id3Latin1Texts(peek, 0)));
  addRaw(texts, singleBytes, latin1, source.encoding);
  if (hasBrokenText(metadata, 'APEv2')) addRaw(texts, await apeTexts(peek, source.sizeBytes), utf8, source.encoding);
  addTwiceEncoded(texts, metadata);
  if (texts.size === 0) return metadata;
  return {
    ...metadata,
    common: replaced(metadata.common, texts) as IAudioMetadata['common'],
    native: replaced(native, texts) as IAudioMetadata['native'],
  };
};
