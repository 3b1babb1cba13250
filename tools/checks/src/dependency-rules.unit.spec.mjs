import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { licenceFaults, lockFaults, productPackages, scriptFaults } from './dependency-rules.mjs';
import { installedPackages } from './installed-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const HASH = `sha512-${'a'.repeat(86)}==`;

const lockfile = (resolution) => `lockfileVersion: '9.0'

importers:

  services/gateway:
    dependencies:
      '@continuo/chassis':
        specifier: workspace:*
        version: link:../chassis
      called:
        specifier: npm:other@2.0.0
        version: other@2.0.0
    devDependencies:
      tested-with:
        specifier: 1.0.0
        version: 1.0.0

  services/chassis:
    dependencies:
      '@scope/own':
        specifier: 1.0.0
        version: 1.0.0(peer@3.0.0)

  tools/e2e:
    dependencies:
      only-tests:
        specifier: 1.0.0
        version: 1.0.0

packages:

  '@scope/own@1.0.0':
    resolution: {integrity: ${HASH}}

  other@2.0.0:
    resolution: ${resolution}

snapshots:

  '@scope/own@1.0.0(peer@3.0.0)':
    dependencies:
      below: 4.0.0
    optionalDependencies:
      '@scope/maybe': 5.0.0

  below@4.0.0: {}

  other@2.0.0: {}
`;

describe('lockFaults', () => {
  it('takes hashes from the registry', () => expect(lockFaults(lockfile(`{integrity: ${HASH}}`))).toEqual([]));
  it.each([
    '{tarball: https://packages.example/x.tgz}',
    `{integrity: ${HASH}, tarball: https://packages.example/x.tgz}`,
    '{type: git, repo: x, commit: y}',
    '{integrity: sha1-abc}',
    '{}',
  ])('refuses %s', (resolution) => expect(lockFaults(lockfile(resolution))).toEqual([expect.stringContaining('other@2.0.0')]));
});

describe('productPackages', () => {
  it('are what services need, directly or not, and nothing that only tests need', () => {
    expect(productPackages(lockfile('{}'))).toEqual(new Set(['@scope/maybe@5.0.0', '@scope/own@1.0.0', 'below@4.0.0', 'other@2.0.0']));
  });
});

describe('licenceFaults', () => {
  const product = new Set(['a@1.0.0']);
  const fault = (manifest) => licenceFaults([{ name: 'a', version: '1.0.0', ...manifest }], product);
  it.each([{ license: 'MIT' }, { license: '(MIT OR GPL-3.0)' }, { licenses: [{ type: 'MIT' }] }])('takes %j', (manifest) =>
    expect(fault(manifest)).toEqual([]),
  );
  it.each([{ license: 'GPL-3.0-only' }, { license: 'MIT AND AGPL-3.0' }, { license: 'SEE LICENSE IN x' }, {}])('refuses %j', (manifest) =>
    expect(fault(manifest)).toHaveLength(1),
  );
  it('does not look at what is no part of the product', () =>
    expect(licenceFaults([{ name: 'b', version: '1.0.0', license: 'GPL-3.0-only' }], product)).toEqual([]));
});

describe('scriptFaults', () => {
  const workspace = "packages:\n  - a\nallowBuilds:\n  sharp: true\n  '@scope/x': false\n";
  it.each([
    [{ name: 'a', scripts: { postinstall: 'x' } }, 1],
    [{ name: 'a', hasGyp: true }, 1],
    [{ name: 'a', scripts: { test: 'x' } }, 0],
    [{ name: 'sharp', scripts: { install: 'x' } }, 0],
    [{ name: '@scope/x', scripts: { install: 'x' } }, 0],
  ])('of %j: %i', (manifest, count) => expect(scriptFaults([manifest], workspace)).toHaveLength(count));
});

describe('the dependencies of this repository', () => {
  const text = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
  it('are fetched by their hashes, under licences of the list, and run no scripts that nobody allowed', () => {
    const [installed, product] = [installedPackages(root), productPackages(text)];
    expect([product.size > 100, installed.length > 100]).toEqual([true, true]);
    expect([
      ...lockFaults(text),
      ...licenceFaults(installed, product),
      ...scriptFaults(installed, readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')),
    ]).toEqual([]);
  });
});
