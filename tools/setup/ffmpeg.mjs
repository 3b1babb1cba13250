import { dirname, join } from 'node:path';
import { say, SetupError } from './say.mjs';
import { isExecutable, onPath, run, tail } from './shell.mjs';
import { reaches, versions } from './versions.mjs';

const wanted = `ffmpeg ${versions.ffmpegAtLeast.split('.')[0]} or newer`;

/** The path of an ffmpeg that is new enough and has its ffprobe beside it. Installs it with apt where root may. */
export async function ensureFfmpeg() {
  const chosen = process.env.FFMPEG_PATH;
  if (chosen) {
    if (await isFine(chosen)) return chosen;
    throw new SetupError(`FFMPEG_PATH names ${chosen}, which is not ${wanted} with ffprobe beside it; correct or unset it.`);
  }
  const found = await search();
  if (found) return found;
  await install();
  const installed = await search();
  if (installed) return installed;
  throw new SetupError(`The ffmpeg of this system is too old; install ${wanted} and put it on PATH, or set FFMPEG_PATH.`);
}

async function search() {
  for (const path of onPath('ffmpeg')) if (await isFine(path)) return path;
  return undefined;
}

/** Builds from source have no version number; they are trusted to be recent. A library may warn before the version is told, as in containers where memory may not be locked. */
async function isFine(path) {
  if (!isExecutable(path) || !isExecutable(join(dirname(path), process.platform === 'win32' ? 'ffprobe.exe' : 'ffprobe'))) return false;
  const { code, output } = await run(path, ['-version'], { timeoutMs: 10_000 });
  const version = /^ffmpeg version n?(\d+\.\d+)/m.exec(output)?.[1];
  return code === 0 && (version === undefined ? /^ffmpeg version/m.test(output) : reaches(version, versions.ffmpegAtLeast));
}

async function install() {
  const byHand =
    process.platform === 'darwin' ? '"brew install ffmpeg"' : 'your package manager, for example "sudo apt-get install ffmpeg"';
  const mayInstall = process.getuid?.() === 0 && onPath('apt-get').length > 0;
  if (!mayInstall) throw new SetupError(`${wanted} is missing; install it with ${byHand}.`);
  say('Installing ffmpeg with apt-get (once) …');
  const aptGet = (...args) => run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 15 * 60_000 });
  const command = ['install', '-y', '--no-install-recommends', 'ffmpeg'];
  let result = await aptGet(...command);
  if (result.code !== 0) {
    // The package lists may be missing or out of date.
    await aptGet('update');
    result = await aptGet(...command);
  }
  if (result.code !== 0)
    throw new SetupError(`${wanted} is missing and apt-get could not install it; install it with ${byHand}.\n${tail(result.output, 3)}`);
}
