import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const git = async (...args) => (await run('git', args, { cwd: root })).stdout;

describe('a release that is tried', () => {
  let out;
  let said;
  let before;
  const read = (path) => readFile(join(out, path));
  const readJson = async (path) => JSON.parse(await read(path));
  /** A blob of the chart's layout, whose digest has to be that of its bytes. */
  const blob = async ({ digest, size }) => {
    const bytes = await read(`chart/blobs/sha256/${digest.replace('sha256:', '')}`);
    expect([digest, size]).toEqual([`sha256:${sha256(bytes)}`, bytes.length]);
    return bytes;
  };

  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'continuo-release-spec-'));
    before = [await git('rev-parse', 'HEAD'), await git('status', '--porcelain'), await git('tag')];
    ({ stdout: said } = await run(process.execPath, [join(root, 'tools/release/main.mjs'), '--dry-run', '--out', out], { cwd: root }));
  }, 600_000);
  afterAll(() => rm(out, { recursive: true }));

  it('leaves the checkout as it was', async () => {
    expect([await git('rev-parse', 'HEAD'), await git('status', '--porcelain'), await git('tag')]).toEqual(before);
  });

  it('makes every file of a release in one version', async () => {
    const version = /^Continuo (\S+?)[,:]/.exec(said)?.[1];
    const files = await readdir(out);
    expect(files.toSorted()).toEqual(
      [
        'NOTES.md',
        'SHA256SUMS',
        'chart',
        `continuo-chart-${version}.tgz`,
        `continuo-server-${version}.tgz`,
        'provenance.intoto.json',
        'sbom',
      ].toSorted(),
    );
    expect((await read('NOTES.md')).toString()).toMatch(`# Continuo ${version}\n\n`);
    const bills = await readdir(join(out, 'sbom'));
    expect(bills).toEqual(expect.arrayContaining(['gateway.cdx.json', 'standalone.cdx.json', 'tools.cdx.json']));
    const { stdout: described } = await run('tar', ['-xzOf', join(out, `continuo-server-${version}.tgz`), 'package/package.json']);
    expect(JSON.parse(described)).toMatchObject({ name: 'continuo-server', version });
  });

  it('packs the chart as Helm and registries read it', async () => {
    const { manifests } = await readJson('chart/index.json');
    expect(await readJson('chart/oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
    const manifest = JSON.parse(await blob(manifests[0]));
    const config = JSON.parse(await blob(manifest.config));
    const archive = await blob(manifest.layers[0]);
    expect(archive.equals(await read(`continuo-chart-${config.version}.tgz`))).toBe(true);
    const { stdout: listed } = await run('tar', ['-tzf', join(out, `continuo-chart-${config.version}.tgz`)]);
    const paths = listed.split('\n');
    expect(paths).toEqual(expect.arrayContaining(['continuo/Chart.yaml', 'continuo/values.yaml', 'continuo/values.schema.json']));
    expect(paths.filter((path) => path.startsWith('continuo/ci'))).toEqual([]);
  });

  it('tells the digest of every file, twice', async () => {
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
    const listed = (await read('SHA256SUMS'))
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split('  '));
    const all = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(listed).toHaveLength(all.length - 1);
    const { subject, predicateType, predicate } = await readJson('provenance.intoto.json');
    expect(predicateType).toBe('https://slsa.dev/provenance/v1');
    const unlisted = listed.filter(([, path]) => path !== 'provenance.intoto.json');
    expect(subject.map(({ name, digest }) => [digest.sha256, name])).toEqual(unlisted);
    expect(predicate.buildDefinition.resolvedDependencies[0].digest).toEqual({ gitCommit: before[0].trim() });
  });
});
