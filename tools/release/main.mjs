import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { images } from '../../deploy/images/packages.mjs';
import { makePackage } from '../standalone/product.mjs';
import { layOut, packChart } from './src/chart.mjs';
import { release } from './src/changelog.mjs';
import { digests, provenance, sums } from './src/provenance.mjs';
import { run } from './src/run.mjs';
import { nextVersion, withVersion } from './src/version.mjs';

const USAGE = `npm run release -- [--dry-run] [--images] [--out <folder>]

  Makes the next release of the last commit: version by its commits since the release before,
  changelog, chart, npm package, bills of materials, checksums, provenance and notes.

  --dry-run       leaves the checkout as it is: no commit, no tag
  --images        builds the images for amd64 and arm64 too, which takes docker buildx
  --out <folder>  where the files go; dist/release by default, and emptied first`;

const root = resolve(import.meta.dirname, '../..');
const git = (...args) => run('git', args, { cwd: root }).trim();
const read = (path) => readFileSync(join(root, path), 'utf8');
const say = (line) => process.stdout.write(`${line}\n`);

/** Version of the last release, by its tag; undefined before the first. */
function lastVersion() {
  const tags = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-version:refname').split('\n');
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag))?.slice(1);
}

function commitsSince(version) {
  const range = version === undefined ? 'HEAD' : `v${version}..HEAD`;
  const log = git('log', '--no-merges', '--format=%H%x1f%s%x1f%b%x1e', range);
  const entries = log.split('\x1e').map((entry) => entry.trim().split('\x1f'));
  return entries.filter(([hash]) => hash).map(([hash, subject, body = '']) => ({ hash, subject, body }));
}

/** @throws Error when an example of an event that the release before holds is not as it was: later builds have to read it as it was written */
function checkFrozen(last) {
  const changed =
    last === undefined ? '' : git('diff', '--name-only', '--diff-filter=a', `v${last}`, 'HEAD', '--', 'contracts/golden/events');
  if (changed !== '') throw new Error(`examples of events have changed since ${last}: ${changed.replaceAll('\n', ', ')}`);
}

/** Writes the version where it stands in the sources, commits and tags: the tag is the release. */
function commit(version, changelog) {
  const list = (patterns) => git('ls-files', '--', ...patterns).split('\n');
  for (const [path, text] of withVersion(version, { list, read })) writeFileSync(join(root, path), text);
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  git('add', '--update');
  git('commit', '--quiet', '--message', `chore: release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Continuo ${version}`);
}

function buildImages({ out, version, revision, created }) {
  mkdirSync(join(out, 'images'));
  const facts = { VERSION: version, REVISION: revision, CREATED: created };
  const args = Object.entries(facts).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
  for (const target of images) {
    const output = `type=oci,dest=${join(out, 'images', `continuo-${target}.tar`)}`;
    const build = ['buildx', 'build', '--platform', 'linux/amd64,linux/arm64', '--file', 'deploy/images/Dockerfile', '--target', target];
    run('docker', [...build, ...args, '--output', output, '.'], { cwd: root });
    say(`image ${target}`);
  }
}

async function makeFiles({ out, scratch, version, wantsImages, text }) {
  const revision = git('rev-parse', 'HEAD');
  const epoch = Number(git('show', '--no-patch', '--format=%ct', 'HEAD'));
  const created = new Date(epoch * 1000).toISOString();
  const described = { description: /^description: (.*)$/m.exec(read('helm/continuo/Chart.yaml'))?.[1], created };
  const archive = packChart({ source: join(root, 'helm/continuo'), scratch, out, version, epoch });
  layOut({ archive, folder: join(out, 'chart'), version, ...described });
  await makePackage(join(scratch, 'package'), version);
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', out], { cwd: join(scratch, 'package') });
  run(process.execPath, [join(root, 'deploy/images/sbom.mjs'), join(out, 'sbom')], {
    cwd: root,
    env: { SOURCE_DATE_EPOCH: String(epoch) },
  });
  if (wantsImages) buildImages({ out, version, revision, created });
  writeFileSync(join(out, 'NOTES.md'), `# Continuo ${version}\n\n${text}\n`);
  return revision;
}

async function main() {
  const options = {
    'dry-run': { type: 'boolean' },
    images: { type: 'boolean' },
    out: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  };
  const { values } = parseArgs({ options });
  if (values.help) return say(USAGE);
  if (!values['dry-run'] && git('status', '--porcelain') !== '')
    throw new Error('the checkout has changes that are in no commit: commit them, or try it with --dry-run');
  const startedOn = new Date().toISOString();
  const last = lastVersion();
  checkFrozen(last);
  const commits = commitsSince(last);
  const version = nextVersion(last, JSON.parse(read('package.json')).version, commits);
  const { changelog, text } = release(read('CHANGELOG.md'), { version, date: startedOn.slice(0, 10), commits });
  const out = resolve(root, values.out ?? 'dist/release');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  if (!values['dry-run']) commit(version, changelog);
  const scratch = mkdtempSync(join(tmpdir(), 'continuo-release-'));
  try {
    const revision = await makeFiles({ out, scratch, version, wantsImages: values.images, text });
    const lockfileSha256 = createHash('sha256').update(read('pnpm-lock.yaml')).digest('hex');
    const files = await digests(out);
    const builder = process.env.GITHUB_WORKFLOW_REF ?? 'https://github.com/continuo/continuo/blob/main/CONTRIBUTING.md'; // oxlint-disable-line node/no-process-env -- says who builds
    const statement = provenance({
      files,
      version,
      commit: revision,
      lockfileSha256,
      builder,
      startedOn,
      finishedOn: new Date().toISOString(),
    });
    writeFileSync(join(out, 'provenance.intoto.json'), `${JSON.stringify(statement, undefined, 1)}\n`);
    writeFileSync(join(out, 'SHA256SUMS'), sums(await digests(out)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  say(
    `Continuo ${version}${last === undefined ? '' : `, after ${last}`}: ${commits.length} commits, ${readdirSync(out).length} entries in ${out}`,
  );
}

try {
  await main();
} catch (error) {
  process.stderr.write(`No release was made: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
