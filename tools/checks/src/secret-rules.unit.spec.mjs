import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allowedSecrets } from './allowed-secrets.mjs';
import { secretFaults } from './secret-rules.mjs';
import { trackedFiles } from './tracked-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
/** Texts are put together here, so that this file holds none. */
const join2 = (...parts) => parts.join('');
const random = 'q7Zt2Lw9XbR4mK8sVd3Hf6Jp1Ny5Cg0T';
const faults = (text, path = 'a.ts') => secretFaults({ path, text }).map((fault) => `${fault.line}: ${fault.text}`);

describe('secretFaults', () => {
  it.each([
    ['a private key', join2('-----BEGIN RSA ', 'PRIVATE KEY-----')],
    ['a private key', join2('-----BEGIN ', 'PRIVATE KEY-----')],
    ['a private key', join2('-----BEGIN OPENSSH ', 'PRIVATE KEY-----')],
    ['a key of a cloud', join2('AKIA', 'IOSFODNN7EXAMPLX')],
    ['a token of a forge', join2('ghp', '_', random, random)],
    ['a token of a forge', join2('glpat', '-', random)],
    ['a token of a registry', join2('//registry.example/:_auth', 'Token=abc')],
    ['a token of a registry', join2('npm', '_', random, 'abcd')],
    ['a token of a service', join2('xox', 'b-', '123456789012-abc')],
    ['a signed token', join2('eyJhbGciOiJIUzI1NiJ9', 'abc.', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'x.', random)],
    ['what looks like a secret', join2('const api', `Key = '${random}';`)],
    ['what looks like a secret', join2('PASS', `WORD="${random}"`)],
    ['what looks like a secret', join2('"client_sec', `ret": "${random}",`)],
    ['what looks like a secret', join2('tok', "en: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'")],
    ['a host of a private network', join2('https://npm.corp.inter', 'nal/x')],
    ['a folder of a machine', join2('/wo', 'rk/main/x.ts')],
    ['a folder of a machine', join2('/Us', 'ers/ada/code')],
    ['a folder of a machine', join2('"/ro', 'ot/.ssh"')],
  ])('finds %s: %s', (what, text) => {
    expect(faults(`first\n${text}`)).toEqual([expect.stringMatching(new RegExp(`^2: ${what}`))]);
  });

  it.each([
    "password: 'a password of somebody in a spec'",
    "const token = 'the-token-of-the-spec-of-shares';",
    'apiKey: process.env.API_KEY',
    'sha256 of it: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'https://music.example/home/ada/Music',
    'the folder /home/ada/Music',
    '// the root of /rooted things',
    'new URL("../root/x", base)',
  ])('lets pass %s', (text) => {
    expect(faults(text)).toEqual([]);
  });

  it('lets pass what is named as harmless, in its own file alone', () => {
    const text = join2('const apiK', `ey = '${random}';`);
    expect(secretFaults({ path: 'a.ts', text }, { 'a.ts': [random] })).toEqual([]);
    expect(secretFaults({ path: 'b.ts', text }, { 'a.ts': [random] })).toHaveLength(1);
  });

  it('finds other hosts in a lockfile, and configurations of registries', () => {
    expect(faults('resolution: {tarball: https://packages.example/x.tgz}', 'pnpm-lock.yaml')).toEqual([
      expect.stringContaining('packages.example'),
    ]);
    expect(faults('registry=https://registry.npmjs.org', '.npmrc')).toHaveLength(1);
  });
});

describe('what git keeps', () => {
  it('holds no secret, no private host and no folder of a machine', (context) => {
    const files = trackedFiles(root);
    if (!files) return context.skip('this is no clone, or there is no git');
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap((file) => secretFaults(file, allowedSecrets))).toEqual([]);
  });

  it('names nothing as harmless that is not there', (context) => {
    const files = trackedFiles(root);
    if (!files) return context.skip('this is no clone, or there is no git');
    const unused = Object.entries(allowedSecrets).flatMap(([path, texts]) =>
      texts.filter((text) => !files.some((file) => file.path === path && file.text.includes(text))),
    );
    expect(unused).toEqual([]);
  });
});
