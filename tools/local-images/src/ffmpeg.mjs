import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cache, root as repository } from '../../setup/paths.mjs';
import { debian, makeDebian, packagesIn } from './debian.mjs';
import { run } from './engine.mjs';

const script = join(repository, 'deploy/images/build-ffmpeg.sh');

/** The folder of ffmpeg and ffprobe as our Dockerfile builds them, built once for each state of Debian's source and of that script. */
export const ffmpeg = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'continuo-ffmpeg-'));
  try {
    const source = join(folder, 'source');
    await fetchSource(folder, source);
    const described = readdirSync(source).find((name) => name.endsWith('.dsc'));
    const build = packagesIn('ffmpeg-build');
    const state = createHash('sha256')
      .update(readFileSync(script))
      .update(readFileSync(join(source, described)))
      .update(build.join());
    const kept = join(cache, 'ffmpeg', state.digest('hex').slice(0, 16));
    if (!existsSync(kept)) await compile({ folder, source, build, kept });
    return kept;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const compile = async ({ folder, source, build, kept }) => {
  const root = join(folder, 'root');
  await makeDebian(root, build);
  cpSync(source, join(root, 'source'), { recursive: true });
  copyFileSync(script, join(root, 'source/build-ffmpeg.sh'));
  await run('chroot', [root, 'sh', '/source/build-ffmpeg.sh', '/source', '/out']);
  mkdirSync(join(cache, 'ffmpeg'), { recursive: true });
  const draft = `${kept}.${process.pid}`;
  cpSync(join(root, 'out'), draft, { recursive: true });
  renameSync(draft, kept);
};

/** Fetches Debian's newest source of ffmpeg, with lists and caches of our own: nothing of this machine's apt changes. */
const fetchSource = async (folder, source) => {
  const { suite, mirror } = debian();
  const keyring = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';
  const security = mirror.replace(/\/debian\/?$/, '/debian-security');
  const sources = [`deb-src ${keyring} ${mirror} ${suite} main`, `deb-src ${keyring} ${security} ${suite}-security main`];
  writeFileSync(join(folder, 'sources.list'), `${sources.join('\n')}\n`);
  for (const part of ['lists/partial', 'cache/archives/partial', 'source']) mkdirSync(join(folder, part), { recursive: true });
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await run('apt-get', [...options, 'update', '--error-on=any']);
  await run('apt-get', [...options, 'source', '--download-only', 'ffmpeg'], { cwd: source });
};
