import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Samples per second of what is looked at: what lies above 11 kHz tells little of how music sounds. */
export const SAMPLE_RATE_HZ = 22_050;
/** Length of the analysed excerpt, from the song's middle. */
export const EXCERPT_SECONDS = 90;

/** Excerpt to decode. */
export interface DecodeRequest {
  /** The program; a bare name is looked up in the usual places. */
  readonly ffmpeg: string;
  /** Of a file, or an `http:` address of this machine. */
  readonly path: string;
  /** Of the song; undefined: not known. */
  readonly durationMs: number | undefined;
  readonly signal: AbortSignal;
}

/** Threads of plug-ins have no environment. */
const PLACES = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/snap/bin';
const BYTES_PER_SAMPLE = 4;
const MAX_BYTES = (EXCERPT_SECONDS + 1) * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE;

/**
 * None of these demuxers opens further files or addresses by what it reads, as playlists and lists of segments do: a text that calls itself `song.mp3` must not make ffmpeg look
 * elsewhere.
 */
export const SOUND_FORMATS =
  'mp3,flac,ogg,mov,aac,loas,wav,w64,aiff,caf,au,asf,ape,wv,mpc,mpc8,tta,tak,dsf,iff,amr,ac3,eac3,dts,dtshd,mlp,truehd,shn,rm,oma,voc,matroska,avi,mpeg,mpegts';

/** ffmpeg could not be started at all, which is no fault of the file. */
export class FfmpegUnavailable extends Error {
  override readonly name = 'FfmpegUnavailable';
}

/** ffmpeg's arguments: one channel of floats of the middle of the song, to its output. */
export const decodeArguments = ({ path, durationMs }: Pick<DecodeRequest, 'path' | 'durationMs'>): string[] => {
  const startSeconds = Math.max(0, ((durationMs ?? 0) / 1000 - EXCERPT_SECONDS) / 2);
  const isAddress = path.startsWith('http://');
  return [
    ['-nostdin', '-hide_banner', '-loglevel', 'error'],
    ['-protocol_whitelist', isAddress ? 'http,tcp' : 'file', '-format_whitelist', SOUND_FORMATS],
    ['-ss', startSeconds.toFixed(3), '-t', String(EXCERPT_SECONDS)],
    // With its protocol in front a name means nothing but a file, whatever it begins with or holds.
    ['-i', isAddress ? path : `file:${path}`],
    ['-map', '0:a:0', '-vn', '-ac', '1', '-ar', String(SAMPLE_RATE_HZ), '-f', 'f32le', 'pipe:1'],
  ].flat();
};

/**
 * Decodes the middle of a song to samples; empty when there is no sound in it.
 * @throws FfmpegUnavailable; Error with ffmpeg's last words when it cannot read the file; the reason of `signal`
 */
export const decode = async (request: DecodeRequest): Promise<Float32Array> => {
  const { ffmpeg, signal } = request;
  const options = { env: { PATH: PLACES }, encoding: 'buffer', maxBuffer: MAX_BYTES, signal, killSignal: 'SIGKILL' } as const;
  const ended: Ended = await run(ffmpeg, decodeArguments(request), options).catch((error: Ended) => error);
  signal.throwIfAborted();
  if (ended.syscall !== undefined) throw new FfmpegUnavailable(`ffmpeg cannot be started: ${ended.message}`, { cause: ended });
  // The decodable part of a damaged file counts as much as a whole one.
  if (ended.message === undefined || ended.stdout.length > 0) return samplesOf(ended.stdout);
  throw new Error(ended.stderr.toString('utf8').trim().split('\n').at(-1) || 'ffmpeg cannot read it');
};

/** How a run of ffmpeg ended; with a message when it did not end well, with a call of the system when it did not begin. */
interface Ended {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly message?: string;
  readonly syscall?: string;
}

const samplesOf = (bytes: Buffer): Float32Array => {
  const samples = new Float32Array(Math.floor(bytes.length / BYTES_PER_SAMPLE));
  for (let at = 0; at < samples.length; at += 1) {
    const value = bytes.readFloatLE(at * BYTES_PER_SAMPLE);
    samples[at] = Number.isFinite(value) ? value : 0;
  }
  return samples;
};
