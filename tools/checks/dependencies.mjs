import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licenceFaults, licenceOf, lockFaults, productPackages, scriptFaults } from './src/dependency-rules.mjs';
import { installedPackages } from './src/installed-packages.mjs';

/**
 * Looks at what others wrote: hashes, licences, scripts that run at the installation, and with `--audit` the advisories that the registry knows. `--list` prints what the product needs and its
 * licences. Ends with 1 when something is at fault.
 */
const root = join(fileURLToPath(import.meta.url), '..', '..', '..');
const read = (name) => readFileSync(join(root, name), 'utf8');
const lockfile = read('pnpm-lock.yaml');
const product = productPackages(lockfile);
const installed = installedPackages(root);
const faults = [...lockFaults(lockfile), ...licenceFaults(installed, product), ...scriptFaults(installed, read('pnpm-workspace.yaml'))];

const print = (line) => process.stdout.write(`${line}\n`);

if (process.argv.includes('--list')) {
  const shipped = installed.filter(({ name, version }) => product.has(`${name}@${version}`));
  for (const manifest of shipped) print(`${manifest.name}@${manifest.version}  ${licenceOf(manifest)}`);
}

/** Advisories of a grade that matters, as lines; undefined when the registry does not tell. */
function advisories() {
  const { stdout, error } = spawnSync('pnpm', ['audit', '--prod', '--json', '--audit-level', 'moderate'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (error || !stdout) return undefined;
  try {
    const found = JSON.parse(stdout).advisories;
    return found && Object.values(found).map(({ module_name: name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`);
  } catch {
    return undefined;
  }
}

if (process.argv.includes('--audit')) {
  const known = advisories();
  if (known) faults.push(...known);
  print(
    known
      ? `${known.length} advisories of moderate or higher grade`
      : 'SKIPPED: the registry does not tell of advisories here; nothing is known of them',
  );
}
for (const fault of faults) print(fault);
print(`${product.size} packages of the product, ${installed.length} installed, ${faults.length} faults`);
if (faults.length > 0) process.exitCode = 1;
