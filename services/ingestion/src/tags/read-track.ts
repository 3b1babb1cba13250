import type { ScannedTrack } from '@continuo/contracts';
import { selectCover, type IAudioMetadata } from 'music-metadata';
import { CUT_TAGS, readTags, type BoundedTags } from './bounded-tags.js';
import { openBuffered, TagReadTimeout, type OpenedFile } from './buffered-file.js';
import { contentKind, HEAD_BYTES, type ContentKind } from './content-kind.js';
import { decodeText } from './decode-text.js';
import { cutTracks } from './cutting.js';
import { trackDigest } from './digest.js';
import { boundLyrics, lyricsFromText } from './lyrics.js';
import { mapTags } from './map-tags.js';
import { findFrames } from './mpeg-frames.js';
import { OGG_TAIL_BYTES, oggTail, OPUS_HEAD_BYTES, opusOutputGainDb, opusPreSkip } from './ogg-tail.js';
import { inspectPicture } from './picture.js';
import { isAddress } from './ranged-file.js';
import { mp4Sound } from './mp4-sound.js';
import { withRepairedText } from './repaired-text.js';
import { rf64 } from './rf64.js';
import { readSmallFile } from './small-file.js';
import { soundPrints } from './sound-print.js';
import { soundFrom, type SoundHints } from './sound.js';
import type { FoundPicture, Notice, PictureFileResult, ReadLimits, TrackRequest, TrackResult } from './tag-reader.js';
import { defaultTagRules } from './tag-rules.js';
import { extentOf, HEAD_CHECK_BYTES, TAIL_CHECK_BYTES } from './truncation.js';
import { extendedWavCodec } from './wav-sound.js';

/** Bytes of a file without a signature that are searched for frames. */
const FRAME_SEARCH_BYTES = 65_536;
/** Lyrics files beyond this size are no lyrics. */
const MAX_LYRICS_BYTES = 1_000_000;
/** A file with less than this share of the sound that its header promises is not worth playing. */
const USABLE_SHARE = 0.5;
const OPUS_RATE_HZ = 48_000;

/** Ends the reading of one file with the reason for which it is left out. */
class Unusable extends Error {
  readonly result: Extract<TrackResult, { ok: false }>;

  constructor(result: Extract<TrackResult, { ok: false }>) {
    super(result.message);
    this.result = result;
  }
}

const damaged = (message: string): Unusable => new Unusable({ ok: false, reason: 'damaged', message });
const notMedia = (message: string): Unusable => new Unusable({ ok: false, reason: 'not-media', message });

const UNREADABLE = new Set(['EACCES', 'EPERM', 'EIO', 'ELOOP', 'EISDIR', 'ESTALE', 'EBUSY', 'EMFILE', 'ENFILE']);

/** Puts an error of the file system or the parser into words. */
export const explain = (error: unknown): Extract<TrackResult, { ok: false }> => {
  if (error instanceof Unusable) return error.result;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, reason: 'vanished', message: 'the file went away while it was read' };
  if (code !== undefined && UNREADABLE.has(code)) return { ok: false, reason: 'unreadable', message: `the file cannot be read (${code})` };
  return { ok: false, reason: 'damaged', message: `the file is damaged: ${message.slice(0, 300)}` };
};

/** Reads one media file completely. Never throws for what is wrong with the file. */
export const readTrack = async (request: TrackRequest, limits: ReadLimits): Promise<TrackResult> => {
  if (request.sizeBytes === 0) return { ok: false, reason: 'empty', message: 'the file has no content' };
  const deadline = performance.now() + limits.parseTimeoutMs;
  try {
    const file = await openBuffered(request.path, deadline);
    try {
      const large = await rf64(file.peek);
      if (large) file.standInFor(large.head);
      return await readOpened(file, request, { ...limits, deadline });
    } finally {
      await file.tokenizer.close();
    }
  } catch (error) {
    if (error instanceof TagReadTimeout) {
      // A place elsewhere may be slow for the moment; then the file is not at fault.
      const reason = isAddress(request.path) ? 'unreadable' : 'damaged';
      return { ok: false, reason, message: `reading took longer than ${limits.parseTimeoutMs} ms` };
    }
    return explain(error);
  }
};

const readOpened = async (file: OpenedFile, request: TrackRequest, limits: ReadLimits & { deadline: number }): Promise<TrackResult> => {
  const { tokenizer, peek } = file;
  const notices: Notice[] = [];
  const content = contentKind(await peek(HEAD_BYTES, 0));
  tokenizer.fileInfo.mimeType = await mimeOf(peek, content);
  const { encoding } = limits.rules ?? defaultTagRules;
  const tagBytes = content.kind === 'tagged' ? content.tagBytes : 0;
  const parsed = await parse(file, request.path, limits.deadline);
  if (parsed.isCut) notices.push(CUT_TAGS);
  const metadata = await withRepairedText(parsed.metadata, { peek, sizeBytes: file.sizeBytes, tagBytes, encoding });
  if (metadata.format.hasVideo && !metadata.format.hasAudio) throw notMedia('the file is a video without sound');
  if (isVideo(metadata)) throw notMedia('the file is a video, and this catalog gathers music');
  const durationSeconds = await measuredDuration(file, metadata, notices);
  const hints = await soundHints(file, request.sizeBytes);
  const sound = soundFrom(metadata.format, request.sizeBytes, { durationSeconds, ...hints });
  if (sound === undefined) throw damaged('no sound was found in the file');
  await refuseTruncated(file, sound.format, tagBytes, metadata.format);
  const picture = frontCover(metadata, limits, notices);
  const tags = mapTags(metadata, request, limits.rules);
  const baseGainDb = sound.format === 'opus' ? opusOutputGainDb(await peek(OPUS_HEAD_BYTES, 0)) : undefined;
  const fromFiles = await sidecarLyrics(request.lyricsPaths, encoding, notices);
  const prints = await soundPrints({
    peek,
    sizeBytes: request.sizeBytes,
    tagBytes,
    format: sound.format,
  });
  const read: Omit<ScannedTrack, 'digest' | 'fileName'> = {
    sizeBytes: request.sizeBytes,
    mtimeMs: request.mtimeMs,
    ...sound,
    ...tags,
    ...(baseGainDb ? { loudness: { ...tags.loudness, baseGainDb } } : {}),
    lyrics: boundLyrics([...fromFiles, ...tags.lyrics]),
    ...(picture ? { art: picture.ref } : {}),
    ...(prints ? { soundPrint: prints.print } : {}),
  };
  const whole = { fileName: request.fileName, ...read };
  const parts = await cutTracks(whole, { request, peek, metadata, rules: limits.rules ?? defaultTagRules, notices });
  return {
    ok: true,
    track: { digest: trackDigest(read), ...whole },
    ...(parts ? { parts } : {}),
    ...(prints?.earlier ? { earlierPrint: prints.earlier } : {}),
    notices,
    ...(picture ? { picture } : {}),
  };
};

/** Reads sound properties that the parser misses. */
const soundHints = async ({ tokenizer, peek }: OpenedFile, sizeBytes: number): Promise<SoundHints> => {
  if (tokenizer.fileInfo.mimeType === 'audio/mp4') return mp4Sound(peek, sizeBytes);
  return tokenizer.fileInfo.mimeType === 'audio/wav' ? extendedWavCodec(peek) : {};
};

/** The parser is chosen by content: a suffix may be wrong. */
const mimeOf = async (peek: OpenedFile['peek'], content: ContentKind): Promise<string> => {
  if (content.kind === 'audio') return content.mime;
  if (content.kind === 'other') throw notMedia(`the file is ${content.what}, whatever its name says`);
  const start = content.kind === 'tagged' ? content.tagBytes : 0;
  if (content.kind === 'tagged') {
    const behind = contentKind(await peek(HEAD_BYTES, start));
    if (behind.kind === 'audio') return behind.mime;
    // Everything else behind a tag is MPEG audio; the parser finds its first frame even behind padding.
    return 'audio/mpeg';
  }
  const frames = findFrames(await peek(FRAME_SEARCH_BYTES, start));
  if (frames === undefined) throw notMedia('the content is no sound in a format that is served, whatever the name says');
  return frames === 'adts' ? 'audio/aac' : 'audio/mpeg';
};

/** Parses the headers; only where they do not tell the duration, the whole file is walked through. */
const parse = async ({ tokenizer }: OpenedFile, path: string, deadline: number): Promise<BoundedTags> => {
  const quick = await readTags(tokenizer);
  const { duration, container = '' } = quick.metadata.format;
  const needsWalk = duration === undefined && /^(?:mpeg|adts)/i.test(container);
  if (!needsWalk) return quick;
  const { tokenizer: again } = await openBuffered(path, deadline);
  try {
    if (tokenizer.fileInfo.mimeType) again.fileInfo.mimeType = tokenizer.fileInfo.mimeType;
    return await readTags(again, { duration: true });
  } finally {
    await again.close();
  }
};

/** A cover that an MP4 carries as a still picture track does not make it a video. */
const isVideo = ({ format }: IAudioMetadata): boolean =>
  format.hasVideo === true &&
  format.trackInfo.some((track) => track.video !== undefined && !/jpe?g|png/i.test(track.codecName ?? track.codecId ?? ''));

/** Duration of an Ogg file by its last page; others keep the parser's. */
const measuredDuration = async (
  { peek, sizeBytes: size }: OpenedFile,
  { format }: IAudioMetadata,
  notices: Notice[],
): Promise<number | undefined> => {
  if (!/^ogg/i.test(format.container ?? '') || !format.sampleRate) return undefined;
  const tail = oggTail(await peek(Math.min(size, OGG_TAIL_BYTES), Math.max(0, size - OGG_TAIL_BYTES)));
  if (tail === undefined) throw damaged('the file ends before its first sound');
  if (!tail.complete) notices.push({ reason: 'damaged', message: 'the file ends early; what is there plays' });
  if (!/opus/i.test(format.codec ?? '')) return Number(tail.granule) / format.sampleRate;
  const preSkip = opusPreSkip(await peek(OPUS_HEAD_BYTES, 0));
  return (Number(tail.granule) - preSkip) / OPUS_RATE_HZ;
};

const refuseTruncated = async (
  { peek, sizeBytes }: OpenedFile,
  format: string,
  tagBytes: number,
  parsed: IAudioMetadata['format'],
): Promise<void> => {
  const head = await peek(HEAD_CHECK_BYTES, tagBytes);
  const tail = format === 'flac' || format === 'wv' ? await peek(TAIL_CHECK_BYTES, Math.max(0, sizeBytes - TAIL_CHECK_BYTES)) : head;
  const extent = extentOf(format, { head, tail, sizeBytes, tagBytes }, parsed);
  if (extent !== undefined && extent.there < extent.promised * USABLE_SHARE) {
    throw damaged(`the file ends early: ${extent.there} of ${extent.promised} ${extent.unit} are there`);
  }
};

const frontCover = ({ common }: IAudioMetadata, limits: ReadLimits, notices: Notice[]): FoundPicture | undefined => {
  const cover = selectCover(common.picture);
  if (cover === null) return undefined;
  const found = inspectPicture(cover.data, { maxBytes: limits.maxPictureBytes, maxPixels: limits.maxPicturePixels });
  if (found.ok) return { ref: found.ref, bytes: cover.data };
  const reason = cover.data.length > limits.maxPictureBytes ? 'too-large' : 'damaged';
  notices.push({ reason, message: `the embedded cover is left out: ${found.why}` });
  return undefined;
};

/** Lyrics files beside the track. One that is left out is told of; its song stays. The size is looked at before anything is read. */
const sidecarLyrics = async (paths: readonly string[], encoding: string, notices: Notice[]): Promise<ScannedTrack['lyrics']> => {
  const texts: ScannedTrack['lyrics'] = [];
  for (const path of paths) {
    try {
      const { sizeBytes, bytes } = await readSmallFile(path, MAX_LYRICS_BYTES);
      if (bytes === undefined) {
        notices.push({ reason: 'too-large', message: `a lyrics file of ${sizeBytes} bytes is left out; ${MAX_LYRICS_BYTES} are read` });
        continue;
      }
      const text = lyricsFromText(decodeText(bytes, encoding), undefined, 'file');
      if (text) texts.push(text);
    } catch (error) {
      notices.push({ reason: 'unreadable', message: `a lyrics file is left out: ${explain(error).message}` });
    }
  }
  return texts;
};

/** Reads and checks a picture file. */
export const readPictureFile = async (path: string, limits: ReadLimits): Promise<PictureFileResult> => {
  try {
    const { sizeBytes, bytes } = await readSmallFile(path, limits.maxPictureBytes);
    if (bytes === undefined)
      return { ok: false, why: `the picture has ${sizeBytes} bytes, more than the ${limits.maxPictureBytes} that are kept` };
    const found = inspectPicture(bytes, { maxBytes: limits.maxPictureBytes, maxPixels: limits.maxPicturePixels });
    return found.ok ? { ok: true, picture: { ref: found.ref, bytes } } : found;
  } catch (error) {
    return { ok: false, why: explain(error).message };
  }
};
