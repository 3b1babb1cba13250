import { Rejection, type TranscodeTarget, type VideoStream } from '@continuo/contracts';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { VideoView } from '../reads/videos.reads.js';
import type { GatewayServices } from '../services.js';
import { openPatiently } from '../transcode/open-patiently.js';
import { captionFilesOf, type CaptionFile } from './caption-files.js';
import { captionEncodingOf, decodeCaptions } from './caption-text.js';
import type { Cue } from './cue.js';
import { isTextCaptions } from './text-codecs.js';
import { readSubStation } from './substation.js';
import { readTimedLines, writeSrt, writeVtt } from './timed-lines.js';

/** Captions of a video: a stream in its file, or a file beside it. */
export type Captions = { readonly from: 'stream'; readonly stream: VideoStream } | { readonly from: 'file'; readonly file: CaptionFile };

/** How captions can be sent. */
export type CaptionForm = 'srt' | 'vtt';

/** Larger files are no captions. */
const MAX_BYTES = 8 << 20;

type Parts = Pick<GatewayServices, 'mediaStore' | 'transcodes' | 'log'>;
type Video = Pick<VideoView, 'catalogPath' | 'path' | 'durationMs'> & { readonly doc: Pick<VideoView['doc'], 'captions'> };

const filesBeside = async ({ mediaStore, log }: Parts, { catalogPath, path }: Video): Promise<CaptionFile[]> => {
  try {
    return captionFilesOf(path.slice(path.lastIndexOf('/') + 1), await mediaStore.namesBeside(catalogPath, path));
  } catch (error) {
    // A disk that is away takes the files with it, not what is known of the video.
    log.debug({ err: error }, 'the folder of a video cannot be read');
    return [];
  }
};

/** The captions of a video: files beside it first, as somebody put them there, then the text streams of its file. */
export const captionsOf = async (parts: Parts, video: Video): Promise<Captions[]> => {
  const streams = (video.doc.captions ?? []).filter(({ codec }) => isTextCaptions(codec));
  return [
    ...(await filesBeside(parts, video)).map((file) => ({ from: 'file', file }) as const),
    ...streams.map((stream) => ({ from: 'stream', stream }) as const),
  ];
};

/** What tells captions of one video apart: `s` and the number of a stream, `f` and the key of a file. */
export const captionKey = (captions: Captions): string =>
  captions.from === 'stream' ? `s${captions.stream.index}` : `f${captions.file.key}`;

/** What captions are called; undefined when nothing is known. */
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
  const found = await openPatiently(transcodes, wish, isGone);
  const body = found.state === 'finished' ? await found.open() : found.body;
  return readTimedLines(decodeCaptions(await limited(body)), 'srt');
};

/**
 * The text of captions. Those that workers take out of a video wait a while for a free place.
 * @param isGone tells whether the one who asked has left
 * @throws Rejection `media.not-found` when the file is gone, `media.failed` when it is too large, and what transcoding throws
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

/** What says which captions are drawn into the picture of a conversion. */
export type DrawnCaptions = Pick<TranscodeTarget, 'captionTrack' | 'captionFile'>;

const isCalled = (captions: Captions, word: string): boolean => {
  if (captionKey(captions) === word) return true;
  if (captions.from === 'stream') return String(captions.stream.index) === word || captions.stream.language?.toLowerCase() === word;
  const label = captions.file.label.toLowerCase();
  return label !== '' && (label === word || label.split(/[. _-]/)[0] === word);
};

/**
 * The captions that a `subtitle` parameter means: the number of a stream, a language, the word in the name of a file beside the video, or a key.
 * @throws Rejection `input.invalid` when the video has no such captions, or they are none, `media.not-found` when their file has just gone
 */
export const drawnCaptions = async (parts: Parts, video: Video, subtitle: string): Promise<DrawnCaptions> => {
  const word = subtitle.trim().toLowerCase();
  const found = (await captionsOf(parts, video)).find((captions) => isCalled(captions, word));
  if (!found) throw new Rejection('input.invalid', 'the video has no such subtitle', 'subtitle');
  if (found.from === 'stream') return { captionTrack: found.stream.index };
  const bytes = await bytesOfFile(parts, video, found.file);
  // Whoever draws looks at what is in a file, not at its name; what holds no captions is none of its business.
  if (cuesIn(bytes, found.file).length === 0) throw new Rejection('input.invalid', 'the file holds no subtitles', 'subtitle');
  return { captionFile: { path: pathBeside(video, found.file), encoding: captionEncodingOf(bytes) } };
};
