import { join } from 'node:path';
import { pinnedNode, root } from './paths.mjs';
import { say, SetupError } from './say.mjs';
import { run } from './shell.mjs';
import { toolchainEnv } from './toolchain.mjs';

/** Arguments for the pinned Node that build everything that changed. */
export const buildCommand = [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b'];

/** Compiles what changed. A run without changes takes a fraction of a second and prints nothing. */
export async function build() {
  const notice = setTimeout(() => say('Building …'), 700);
  const { code, output } = await run(pinnedNode, buildCommand, { cwd: root, env: toolchainEnv() });
  clearTimeout(notice);
  if (code !== 0) throw new SetupError(`The build failed.\n${output.trim()}`);
}
