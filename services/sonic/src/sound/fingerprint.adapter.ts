import { spawn } from 'node:child_process';
import { NoFfmpeg, NoSound, type Fingerprint } from './fingerprint.js';

const HASH = /SHA256=([0-9a-f]{64})/;
const MOST_OUTPUT = 4000;

/** None of these opens further files or addresses by what it reads (threats.md rows 7 and 8). */
const FORMATS =
  'mp3,flac,ogg,mov,aac,loas,wav,w64,aiff,caf,au,asf,ape,wv,mpc,mpc8,tta,tak,dsf,iff,amr,ac3,eac3,dts,dtshd,mlp,truehd,shn,rm,oma,voc,matroska,avi,mpeg,mpegts';

const argumentsFor = (path: string): string[] => {
  // Files of other places have an address of this very machine.
  const isAddress = path.startsWith('http://');
  return [
    ['-nostdin', '-hide_banner', '-loglevel', 'error'],
    ['-protocol_whitelist', isAddress ? 'http,tcp' : 'file', '-format_whitelist', FORMATS],
    ['-i', isAddress ? path : `file:${path}`],
    ['-map', '0:a:0', '-c', 'copy', '-f', 'streamhash', '-hash', 'sha256', 'pipe:1'],
  ].flat();
};

/** Fingerprints by ffmpeg, which reads the file once and decodes nothing. */
export const ffmpegFingerprint =
  (program: string): Fingerprint =>
  (path, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, argumentsFor(path), { stdio: ['ignore', 'pipe', 'pipe'] });
      let [output, complaints] = ['', ''];
      const stop = (): boolean => child.kill('SIGKILL');
      signal.addEventListener('abort', stop, { once: true });
      child.stdout.on('data', (piece: Buffer) => {
        output = (output + piece.toString('latin1')).slice(-MOST_OUTPUT);
      });
      child.stderr.on('data', (piece: Buffer) => {
        complaints = (complaints + piece.toString('utf8')).slice(-MOST_OUTPUT);
      });
      child.once('error', (error) => reject(new NoFfmpeg(`${program} cannot be started: ${error.message}`, { cause: error })));
      child.once('close', (_, killedBy) => {
        signal.removeEventListener('abort', stop);
        const [, hash] = HASH.exec(output) ?? [];
        if (signal.aborted) reject(signal.reason as Error);
        else if (hash !== undefined) resolve(hash);
        // The system ended it, not the file.
        else if (killedBy !== null) reject(new NoFfmpeg(`ffmpeg was ended by ${killedBy}`));
        else reject(new NoSound(complaints.trim().split('\n').at(-1) || 'there is no sound in it'));
      });
    });
