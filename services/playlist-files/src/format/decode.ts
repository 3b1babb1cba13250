import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import { PlaylistFileFault } from './playlist-file.js';

type Decoder = InstanceType<typeof TextDecoder>;

/** Text of a file and the character set it was in. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  /** Sets that it could be in as well, the likelier first; empty when nothing was guessed. */
  readonly alternatives: readonly string[];
}

/** Bytes that a guess looks at; only lines with foreign letters are among them. */
const SAMPLE_BYTES = 64 * 1024;
/** From here on a guess says something by itself; lists of names are short and rarely get there. */
const SURE = 40;
/** Usual encoding of old western tools. */
const FALLBACK = 'windows-1252';
const MAX_ALTERNATIVES = 4;
/** Sets in which most letters are ASCII and the others stand alone. */
const LATIN = /^(?:iso-8859-(?:1|2|3|4|9|10|13|14|15|16)|windows-(?:1250|1252|1254|1257|1258))$/;

const decoderOf = (label: string): Decoder | undefined => {
  try {
    return new TextDecoder(label);
  } catch {
    // A label that nobody knows is no reason to refuse a file: it is then guessed.
    return undefined;
  }
};

const byMark = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
};

/** Declared encoding of a file: `#EXTENC` of M3U, the declaration of XML. Both are ASCII in every set that they can name here. */
const declared = (bytes: Uint8Array): Decoder | undefined => {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const label = /^\s*#EXTENC:\s*([\w.:-]+)/im.exec(head)?.[1] ?? /^\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  return label === undefined ? undefined : decoderOf(label);
};

/** Lines that are not plain ASCII: what a guess goes by. Much ASCII around a few foreign letters would blur it. */
const tellingBytes = (bytes: Uint8Array): Uint8Array => {
  const lines: Uint8Array[] = [];
  let taken = 0;
  for (let start = 0; start < bytes.length && taken < SAMPLE_BYTES;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES));
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line);
      taken += line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
};

/** Foreign letters per run of them: words of other scripts are long runs, accents in Latin ones stand alone. */
const meanRun = (bytes: Uint8Array): number => {
  let runs = 0;
  let foreign = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80) continue;
    foreign += 1;
    if (at === 0 || (bytes[at - 1] ?? 0) < 0x80) runs += 1;
  }
  return runs === 0 ? 0 : foreign / runs;
};

/**
 * Sets by likelihood. The letters' frequencies alone decide when they are clear; names are often too short for that, and then the runs tell whether the text
 * is a Latin one at all.
 */
const guesses = (bytes: Uint8Array): string[] => {
  const telling = tellingBytes(bytes);
  const isLatin = meanRun(telling) < 2.5;
  const found = chardet.analyse(telling).flatMap(({ name, confidence }) => {
    const encoding = decoderOf(name)?.encoding ?? 'utf-8';
    // UTF-16 and UTF-32 without a mark are full of NULs and were refused before; here they can only be a mistake.
    return encoding.startsWith('utf-') || confidence <= 0 ? [] : [{ encoding, rank: confidence }];
  });
  const ranked = found.map(({ encoding, rank }) => ({ encoding, rank: rank + (LATIN.test(encoding) === isLatin ? SURE : 0) }));
  const western = { encoding: FALLBACK, rank: isLatin ? 2 * SURE : 1 };
  const sorted = [...ranked, western].toSorted((a, b) => b.rank - a.rank).map(({ encoding }) => encoding);
  return [...new Set(sorted)].slice(0, MAX_ALTERNATIVES + 1);
};

const decodedBy = (decoder: Decoder, bytes: Uint8Array, alternatives: readonly string[] = []): DecodedText => ({
  text: decoder.decode(bytes),
  encoding: decoder.encoding,
  alternatives,
});

/**
 * The text of a playlist file: by its byte-order mark, as UTF-8 when it is, by what it declares, else by a guess from its letters.
 * @param encoding forced by a person; nothing is guessed then
 * @throws PlaylistFileFault `binary` for content with NULs, `unknown-encoding` for a forced set that nobody knows
 */
export const decodePlaylist = (bytes: Uint8Array, encoding?: string): DecodedText => {
  const marked = byMark(bytes);
  if (marked?.startsWith('utf-16') !== true && bytes.includes(0))
    throw new PlaylistFileFault('binary', 'The file holds binary data, not text');
  if (encoding !== undefined) {
    const forced = decoderOf(encoding);
    if (forced === undefined) throw new PlaylistFileFault('unknown-encoding', `There is no character set "${encoding}"`);
    return decodedBy(forced, bytes);
  }
  if (marked !== undefined) return decodedBy(new TextDecoder(marked), bytes);
  if (isUtf8(bytes)) return decodedBy(new TextDecoder('utf-8'), bytes);
  const said = declared(bytes);
  if (said !== undefined && !said.encoding.startsWith('utf-')) return decodedBy(said, bytes);
  const [best = FALLBACK, ...others] = guesses(bytes);
  return decodedBy(new TextDecoder(best), bytes, others);
};
