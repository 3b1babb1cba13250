import { posix } from 'node:path';
import { readLockfile } from './lockfile.mjs';

/** Licences under which a package may be part of what people run. Those of weak copyleft are programs beside ours, loaded as libraries and unchanged. */
export const allowedLicences = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
  'LGPL-3.0-or-later',
  'MPL-2.0',
  'PostgreSQL',
  'Zlib',
]);

/** Packages that users run, without those for building, measuring and testing. */
const PRODUCT = /^(?:contracts|services\/[^/]+|tools\/(?:standalone|continuo|local-servers))$/;

/** Every package is fetched by its hash, from the registry and from nowhere else: answers a text for each that is not. */
export function lockFaults(text) {
  return [...readLockfile(text).packages].flatMap(([name, resolution]) => {
    if (/integrity: sha(?:256|384|512)-[A-Za-z0-9+/=]{40,}/.test(resolution) && !/tarball:|repo:|commit:|directory:/.test(resolution))
      return [];
    return [`${name} is not fetched from the registry by its hash`];
  });
}

/** Names and versions of everything that the product needs to run, directly or not. */
export function productPackages(text) {
  const { snapshots, importers } = readLockfile(text);
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const other of snapshots.get(name) ?? []) add(other);
  };
  const seen = new Set();
  const visit = (folder) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const { link, name } of importers.get(folder) ?? []) {
      if (link === undefined) add(name);
      else visit(posix.join(folder, link));
    }
  };
  for (const folder of importers.keys()) if (PRODUCT.test(folder)) visit(folder);
  return new Set([...found].map((name) => name.replace(/\(.*$/, '')));
}

const isAllowed = (licence) => {
  // "(A OR B)" leaves the choice, "A AND B" does not.
  const text = licence.replaceAll(/[()]/g, '');
  if (/ AND /.test(text)) return text.split(' AND ').every((one) => isAllowed(one));
  return text.split(' OR ').some((one) => allowedLicences.has(one.trim()));
};

/** The licence that a package names, in today's form or an older one. */
export const licenceOf = ({ license, licenses }) => {
  const named = license ?? licenses;
  if (typeof named === 'string') return named;
  return [named]
    .flat()
    .flatMap((one) => one?.type ?? [])
    .join(' OR ');
};

/** Packages of the product under a licence that is not on the list. `installed` are descriptions of packages. */
export function licenceFaults(installed, product) {
  return installed
    .filter(({ name, version }) => product.has(`${name}@${version}`))
    .flatMap((manifest) =>
      isAllowed(licenceOf(manifest)) ? [] : [`${manifest.name}@${manifest.version} has the licence "${licenceOf(manifest)}"`],
    );
}

const HOOKS = ['preinstall', 'install', 'postinstall'];

/** Packages that would run something when they are installed and of which nobody has said whether they may. */
export function scriptFaults(installed, workspace) {
  const block = /^allowBuilds:\n((?: {2}.*\n?)*)/m.exec(workspace)?.[1] ?? '';
  const decided = new Set([...block.matchAll(/^ {2}'?([^':]+)'?:/gm)].map(([, name]) => name));
  return installed.flatMap(({ name, scripts = {}, hasGyp = false }) => {
    const runs = hasGyp || HOOKS.some((hook) => scripts[hook] !== undefined);
    return runs && !decided.has(name)
      ? [`${name} runs a script when it is installed; pnpm-workspace.yaml must say whether it may (allowBuilds)`]
      : [];
  });
}
