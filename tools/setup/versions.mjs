import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Pinned versions of the tool chain. Node is named in the root package.json, because pnpm scripts use it as a dependency. */
export const versions = Object.freeze({
  /** Undefined in an installed package, which runs on the machine's Node. */
  node: manifest.devDependencies?.['node-runtime'].replace('npm:node@', ''),
  pnpm: '12.21.0',
  /** Fetched when the machine has no nats-server that is new enough. */
  natsServer: '2.15.1',
  /** Atomic batches and a sound expected-sequence check need this. tools/local-servers refuses older servers too. */
  natsServerAtLeast: '2.12.4',
  ffmpegAtLeast: '5.0.0',
});

/** Whether a dotted version reaches a minimum. Letters after the numbers are not looked at. */
export function reaches(version, minimum) {
  const [have, need] = [version, minimum].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let place = 0; place < 3; place += 1) {
    const difference = (have[place] ?? 0) - (need[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
