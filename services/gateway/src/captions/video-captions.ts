import { Rejection, type VideoStream } from '@continuo/contracts';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { VideoView } from '../reads/videos.reads.js';
import type { GatewayServices } from '../services.js';
import { captionFilesOf, type CaptionFile } from './caption-files.js';
import { decodeCaptions } from './caption-text.js';
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
type Video = Pick<VideoView, 'catalogPath' | 'path' | 'fileName' | 'durationMs' | 'doc'>;

const filesBeside = async ({ mediaStore, log }: Parts, { catalogPath, path, fileName }: Video): Promise<CaptionFile[]> => {
  try {
    return captionFilesOf(fileName, await mediaStore.namesBeside(catalogPath, path));
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

const cuesOfFile = async ({ mediaStore }: Parts, { catalogPath, path }: Video, { fileName, suffix }: CaptionFile): Promise<Cue[]> => {
  const beside = path.slice(0, path.lastIndexOf('/') + 1) + fileName;
  const { sizeBytes } = await mediaStore.stat(catalogPath, beside);
  if (sizeBytes > MAX_BYTES) throw new Rejection('media.failed', 'the captions are too large');
  const text = decodeCaptions(await buffer(await mediaStore.open(catalogPath, beside)));
  return suffix === 'srt' || suffix === 'vtt' ? readTimedLines(text, suffix) : readSubStation(text);
};

const cuesOfStream = async (
  { mediaStore, transcodes }: Parts,
  { catalogPath, path, durationMs }: Video,
  { index }: VideoStream,
): Promise<Cue[]> => {
  const { sizeBytes, mtimeMs } = await mediaStore.stat(catalogPath, path);
  const source = { catalogPath, path, sizeBytes, modifiedAtMs: mtimeMs, durationMs };
  const found = await transcodes.open(source, { format: 'srt', captionTrack: index, offsetMs: 0 });
  const body = found.state === 'finished' ? await found.open() : found.body;
  return readTimedLines(decodeCaptions(await limited(body)), 'srt');
};

/**
 * The text of captions.
 * @throws Rejection `media.not-found` when the file is gone, `media.failed` when it is too large, and what transcoding throws
 */
export const captionText = async (parts: Parts, video: Video, captions: Captions, form: CaptionForm): Promise<string> => {
  const cues = captions.from === 'file' ? await cuesOfFile(parts, video, captions.file) : await cuesOfStream(parts, video, captions.stream);
  return form === 'vtt' ? writeVtt(cues) : writeSrt(cues);
};
