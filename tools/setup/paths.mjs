import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout, or an installed package. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything that the set-up fetches or notes; may be deleted at any time. */
export const cache = process.env.CONTINUO_CACHE || join(root, '.cache');

/** Programs of the pinned tool chain: node and pnpm. */
export const toolchainBin = join(cache, 'toolchain', 'node_modules', '.bin');

const windows = process.platform === 'win32';

/** The pinned Node program itself, without the link in between. */
export const pinnedNode = join(cache, 'toolchain', 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

/** PATH with the tool chain first, then the checkout's own programs. */
export function toolchainPath() {
  return [toolchainBin, join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(windows ? ';' : ':');
}
