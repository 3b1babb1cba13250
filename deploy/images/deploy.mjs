import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** What gets an image of its own, by the names of the packages. */
export const packages = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic', 'continuo-cli'];

/** Writes each built package with all that it needs to run into a folder of its own below `target`. */
export function deploy(target) {
  for (const name of packages) {
    const args = ['--filter', `@continuo/${name}`, 'deploy', '--legacy', '--prod', join(target, name)];
    const { status } = spawnSync('pnpm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) throw new Error(`pnpm could not deploy ${name}`);
  }
}

if (process.argv[1] === import.meta.filename) deploy(resolve(process.argv[2] ?? 'out'));
