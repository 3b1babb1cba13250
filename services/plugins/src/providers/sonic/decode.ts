import { spawn } from 'node:child_process';

/** Samples per second of what is looked at: what lies above 11 kHz tells little of how music sounds. */
export const SAMPLE_RATE_HZ = 22_050;
/** How much of a song is looked at, from its middle. */
export const EXCERPT_SECONDS = 90;

/** What to decode. */
export interface DecodeWish {
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
const COMPLAINTS = 2000;

/**
 * None of these demuxers opens further files or addresses by what it reads, as playlists and lists of segments do: a text that calls itself `song.mp3` must not make ffmpeg look
 * elsewhere (threats.md rows 7 and 8).
 */
const FORMATS =
  'mp3,flac,ogg,mov,aac,loas,wav,w64,aiff,caf,au,asf,ape,wv,mpc,mpc8,tta,tak,dsf,iff,amr,ac3,eac3,dts,dtshd,mlp,truehd,shn,rm,oma,voc,matroska,avi,mpeg,mpegts';

/** ffmpeg could not be started at all, which is no fault of the file. */
export class NoFfmpeg extends Error {
  override readonly name = 'NoFfmpeg';
}

/** ffmpeg's arguments: one channel of floats of the middle of the song, to its output. */
export const decodeArguments = ({ path, durationMs }: Pick<DecodeWish, 'path' | 'durationMs'>): string[] => {
  const startSeconds = Math.max(0, ((durationMs ?? 0) / 1000 - EXCERPT_SECONDS) / 2);
  const isAddress = path.startsWith('http://');
  return [
    ['-nostdin', '-hide_banner', '-loglevel', 'error'],
    ['-protocol_whitelist', isAddress ? 'http,tcp' : 'file', '-format_whitelist', FORMATS],
    ['-ss', startSeconds.toFixed(3), '-t', String(EXCERPT_SECONDS)],
    // With its protocol in front a name means nothing but a file, whatever it begins with or holds.
    ['-i', isAddress ? path : `file:${path}`],
    ['-map', '0:a:0', '-vn', '-ac', '1', '-ar', String(SAMPLE_RATE_HZ), '-f', 'f32le', 'pipe:1'],
  ].flat();
};

/**
 * Decodes the middle of a song to samples; empty when there is no sound in it.
 * @throws NoFfmpeg; Error with ffmpeg's last words when it cannot read the file; the reason of `signal`
 */
export const decode = (wish: DecodeWish): Promise<Float32Array> =>
  new Promise((resolve, reject) => {
    const { ffmpeg, signal } = wish;
    const child = spawn(ffmpeg, decodeArguments(wish), { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: PLACES } });
    const pieces: Buffer[] = [];
    let [sizeBytes, complaints] = [0, ''];
    const stop = (): boolean => child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (piece: Buffer) => {
      sizeBytes += piece.length;
      if (sizeBytes > MAX_BYTES) stop();
      else pieces.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      complaints = (complaints + piece.toString('utf8')).slice(-COMPLAINTS);
    });
    child.once('error', (error) => reject(new NoFfmpeg(`ffmpeg cannot be started: ${error.message}`, { cause: error })));
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason as Error);
      // What could be decoded of a damaged file is worth as much as that of a whole one.
      else if (code === 0 || sizeBytes > 0) resolve(samplesOf(Buffer.concat(pieces)));
      else reject(new Error(complaints.trim().split('\n').at(-1) ?? 'ffmpeg cannot read it'));
    });
  });

const samplesOf = (bytes: Buffer): Float32Array => {
  const samples = new Float32Array(Math.floor(bytes.length / BYTES_PER_SAMPLE));
  for (let at = 0; at < samples.length; at += 1) {
    const value = bytes.readFloatLE(at * BYTES_PER_SAMPLE);
    samples[at] = Number.isFinite(value) ? value : 0;
  }
  return samples;
};
