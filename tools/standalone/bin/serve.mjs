import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureFfmpeg } from '../tools/setup/ffmpeg.mjs';
import { launch } from '../tools/setup/launch.mjs';
import { ensureNats } from '../tools/setup/nats.mjs';
import { say, SetupError } from '../tools/setup/say.mjs';

/** Runs the server until it ends and answers its exit code. What the machine lacks is told in one sentence. */
export async function serve(args) {
  try {
    const options = JSON.parse(readFileSync(new URL('../process.json', import.meta.url), 'utf8'));
    const env = args.includes('--help') || args.includes('-h') ? {} : await servers();
    return await launch('bundle/main.js', args, { node: process.execPath, env, ownSession: true, ...options });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    return 1;
  }
}

async function servers() {
  const [nats, ffmpeg] = [await ensureNats(), await ensureFfmpeg()];
  return { NATS_SERVER_BIN: nats, FFMPEG_PATH: ffmpeg, FFPROBE_PATH: process.env.FFPROBE_PATH || join(dirname(ffmpeg), 'ffprobe') };
}
