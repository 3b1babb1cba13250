import { Rejection, type TranscodeTarget, type VideoStream } from '@continuo/contracts';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { VideoView } from '../../reads/library/videos.reads.js';
import { openWithRetry } from '../../transcode/open-with-retry.js';
import { captionFilesOf, type CaptionFile } from './caption-files.js';
import { captionEncodingOf, decodeCaptions } from './caption-text.js';
import type { Cue } from './cue.js';
import { isTextCaptions } from './text-codecs.js';
import { readSubStation } from './substation.js';
import { readTimedLines, writeSrt, writeVtt } from './timed-lines.js';
import type { HasTranscodes } from '../../transcode/transcodes.js';
import type { HasLog, HasMediaStore } from '../../server/needs.js';

/** Captions of a video: a stream in its file, or a file beside it. */
export type Captions = { readonly from: 'stream'; readonly stream: VideoStream } | { readonly from: 'file'; readonly file: CaptionFile };

/** Formats in which captions are sent. */
export type CaptionForm = 'srt' | 'vtt';

/** Size limit of caption files, bytes. */
const MAX_BYTES = 8 << 20;

type Parts = HasMediaStore & HasTranscodes & HasLog;
type Video = Pick<VideoView, 'catalogPath' | 'path' | 'durationMs'> & { readonly doc: Pick<VideoView['doc'], 'captions'> };

const filesBeside = async ({ mediaStore, log }: Parts, { catalogPath, path }: Video): Promise<CaptionFile[]> => {
  try {
    return captionFilesOf(path.slice(path.lastIndexOf('/') + 1), await mediaStore.namesBeside(catalogPath, path));
  } catch (error) {
    // An unavailable disk hides the files only; the streams are known from the read model.
    log.debug({ err: error }, 'Failed to read the folder of a video; caption files beside it are left out');
    return [];
  }
};

/** Captions of a video: files beside it first, then text streams of its file. */
export const captionsOf = async (parts: Parts, video: Video): Promise<Captions[]> => {
  const streams = (video.doc.captions ?? []).filter(({ codec }) => isTextCaptions(codec));
  return [
    ...(await filesBeside(parts, video)).map((file) => ({ from: 'file', file }) as const),
    ...streams.map((stream) => ({ from: 'stream', stream }) as const),
  ];
};

/** Key of captions within their video: `s` and a stream index, or `f` and a file key. */
export const captionKey = (captions: Captions): string =>
  captions.from === 'stream' ? `s${captions.stream.index}` : `f${captions.file.key}`;

/** Display name of captions; undefined when unknown. */
export const captionName = (captions: Captions): string | undefined =>
  captions.from === 'stream' ? (captions.stream.title ?? captions.stream.language) : captions.file.fileName;

const limited = async (body: Readable): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    if (sizeBytes > MAX_BYTES) throw new Rejection('media.failed', 'the captions are too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** Path of a file beside a video, relative to the catalog. */
const pathBeside = ({ path }: Pick<Video, 'path'>, { fileName }: CaptionFile): string =>
  path.slice(0, path.lastIndexOf('/') + 1) + fileName;

const bytesOfFile = async (
  { mediaStore }: Pick<Parts, 'mediaStore'>,
  video: Pick<Video, 'catalogPath' | 'path'>,
  file: CaptionFile,
): Promise<Buffer> => {
  const path = pathBeside(video, file);
  const { sizeBytes } = await mediaStore.stat(video.catalogPath, path);
  if (sizeBytes > MAX_BYTES) throw new Rejection('media.failed', 'the captions are too large');
  return buffer(await mediaStore.open(video.catalogPath, path));
};

const cuesIn = (bytes: Uint8Array, { suffix }: CaptionFile): Cue[] => {
  const text = decodeCaptions(bytes);
  return suffix === 'srt' || suffix === 'vtt' ? readTimedLines(text, suffix) : readSubStation(text);
};

const cuesOfStream = async (
  { mediaStore, transcodes }: Parts,
  { catalogPath, path, durationMs }: Video,
  { index }: VideoStream,
  isGone: () => boolean,
): Promise<Cue[]> => {
  const { sizeBytes, mtimeMs } = await mediaStore.stat(catalogPath, path);
  const source = { catalogPath, path, sizeBytes, modifiedAtMs: mtimeMs, durationMs };
  const wish = { source, target: { format: 'srt', captionTrack: index, offsetMs: 0 } } as const;
  const found = await openWithRetry(transcodes, wish, isGone);
  const body = found.state === 'finished' ? await found.open() : found.body;
  return readTimedLines(decodeCaptions(await limited(body)), 'srt');
};

/**
 * Reads captions as text. Extracting a stream may wait for a free worker.
 * @param isGone returns true when the client has disconnected
 * @throws Rejection `media.not-found` when the file is gone, `media.failed` when it is too large, and errors of transcoding
 */
export const captionText = async (
  parts: Parts,
  video: Video,
  captions: Captions,
  { form, isGone }: { readonly form: CaptionForm; readonly isGone: () => boolean },
): Promise<string> => {
  const cues =
    captions.from === 'file'
      ? cuesIn(await bytesOfFile(parts, video, captions.file), captions.file)
      : await cuesOfStream(parts, video, captions.stream, isGone);
  return form === 'vtt' ? writeVtt(cues) : writeSrt(cues);
};

/** Fields of a transcode request that select captions to burn into the picture. */
export type DrawnCaptions = Pick<TranscodeTarget, 'captionTrack' | 'captionFile'>;

const isCalled = (captions: Captions, word: string): boolean => {
  if (captionKey(captions) === word) return true;
  if (captions.from === 'stream') return String(captions.stream.index) === word || captions.stream.language?.toLowerCase() === word;
  const label = captions.file.label.toLowerCase();
  return label !== '' && (label === word || label.split(/[. _-]/)[0] === word);
};

/**
 * Captions selected by a `subtitle` parameter: a stream index, a language, the label of a file, or a key.
 * @throws Rejection `input.invalid` when the video has no such captions, `media.not-found` when their file has just gone
 */
export const drawnCaptions = async (parts: Parts, video: Video, subtitle: string): Promise<DrawnCaptions> => {
  const word = subtitle.trim().toLowerCase();
  const found = (await captionsOf(parts, video)).find((captions) => isCalled(captions, word));
  if (!found) throw new Rejection('input.invalid', 'the video has no such subtitle', 'subtitle');
  if (found.from === 'stream') return { captionTrack: found.stream.index };
  const bytes = await bytesOfFile(parts, video, found.file);
  // ffmpeg detects the format by content, so the file must really be captions.
  if (cuesIn(bytes, found.file).length === 0) throw new Rejection('input.invalid', 'the file holds no subtitles', 'subtitle');
  return { captionFile: { path: pathBeside(video, found.file), encoding: captionEncodingOf(bytes) } };
};
