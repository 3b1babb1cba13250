import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './say.mjs';
import { isExecutable, onPath, run, tail } from './shell.mjs';

/** Where each distribution keeps its newest packages, and the keys it ships to check them. */
const distributions = {
  debian: {
    suite: 'sid',
    components: 'main',
    keyring: '/usr/share/keyrings/debian-archive-keyring.gpg',
    keyringPackage: 'debian-archive-keyring',
  },
  ubuntu: {
    suite: 'devel',
    components: 'main universe',
    keyring: '/usr/share/keyrings/ubuntu-archive-keyring.gpg',
    keyringPackage: 'ubuntu-keyring',
  },
};

/**
 * Fetches the distribution's newest nats-server package into a folder, unpacks it there and answers the program's path.
 *
 * Uses the mirror that apt is set up with, but lists and caches of our own: nothing is installed and apt's state stays as it is.
 * Signatures are checked as always. When the machine's keys are older than those of the newest suite, the newest key package
 * is taken from the machine's own (signed) suites first, so the chain of trust starts at keys that the machine already has.
 */
export async function fetchFromApt(folder) {
  const distribution = distributions[osRelease('ID')];
  if (!distribution || onPath('apt-get').length === 0 || onPath('dpkg').length === 0)
    throw new SetupError('there is no apt of Debian or Ubuntu here');
  const mirror = await configuredMirror();
  const keyring = existsSync(distribution.keyring) ? distribution.keyring : undefined;
  let trouble = await download(folder, mirror, distribution, keyring);
  if (trouble?.includes('NO_PUBKEY') || trouble?.includes('not signed')) {
    trouble = await download(folder, mirror, distribution, await newerKeyring(folder, distribution));
  }
  if (trouble !== undefined) throw new SetupError(`apt could not fetch it: ${tail(trouble, 2)}`);
  return unpack(folder, 'nats-server', ['usr/sbin/nats-server', 'usr/bin/nats-server']);
}

/** Answers undefined when the package lies in the folder, else what apt complained about. */
async function download(folder, mirror, { suite, components }, keyring) {
  const options = keyring ? `[target=Packages signed-by=${keyring}]` : '[target=Packages]';
  const sources = join(folder, 'sources.list');
  writeFileSync(sources, `deb ${options} ${mirror} ${suite} ${components}\n`);
  const state = aptState(folder, sources);
  const update = await run('apt-get', [...state, 'update', '--error-on=any'], { cwd: folder, timeoutMs: 180_000 });
  if (update.code !== 0) return update.output;
  const fetched = await run('apt-get', [...state, 'download', 'nats-server'], { cwd: folder, timeoutMs: 180_000 });
  return fetched.code === 0 ? undefined : fetched.output;
}

/** Options that keep apt away from the machine's lists and caches. */
function aptState(folder, sources) {
  for (const part of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, part), { recursive: true });
  const settings = {
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Cache::archives': 'archives',
    'Acquire::Languages': 'none',
    'APT::Update::Post-Invoke::': 'true',
    // As root, apt would download as user _apt, which cannot write into our folder.
    'APT::Sandbox::User': process.getuid?.() === 0 ? 'root' : '',
  };
  return Object.entries(settings)
    .filter(([, value]) => value !== '')
    .flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** The mirror of the machine's main suite, as apt itself reads its configuration. */
async function configuredMirror() {
  const codename = osRelease('VERSION_CODENAME');
  const { code, output } = await run('apt-get', ['--print-uris', 'update'], { timeoutMs: 30_000 });
  const suites = [...output.matchAll(/^'(\S+?)\/dists\/([^/']+)\/InRelease'/gm)].map(([, uri, suite]) => ({ uri, suite }));
  const found = suites.find(({ suite }) => suite === codename) ?? suites.find(({ uri, suite }) => !/security/.test(uri + suite));
  if (code !== 0 || !found) throw new SetupError('apt has no mirror configured');
  return found.uri;
}

async function newerKeyring(folder, { keyringPackage, keyring }) {
  const { code, output } = await run('apt-get', ['download', keyringPackage], { cwd: folder, timeoutMs: 60_000 });
  if (code !== 0)
    throw new SetupError(`its signing keys are newer than this machine's; install the newest ${keyringPackage} (${tail(output, 1)})`);
  return unpack(folder, keyringPackage, [keyring.slice(1)]);
}

async function unpack(folder, name, places) {
  const file = readdirSync(folder).find((entry) => entry.startsWith(`${name}_`) && entry.endsWith('.deb'));
  if (!file) throw new SetupError(`apt brought no ${name} package`);
  const target = join(folder, `unpacked-${name}`);
  const { code, output } = await run('dpkg', ['-x', join(folder, file), target]);
  const found = places.map((place) => join(target, place)).find((path) => existsSync(path) || isExecutable(path));
  if (code !== 0 || !found) throw new SetupError(`the ${name} package cannot be used: ${tail(output, 1)}`);
  return found;
}

function osRelease(field) {
  const text = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return new RegExp(`^${field}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1] ?? '';
}
