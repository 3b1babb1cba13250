import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cache, pinnedNode, toolchainPath } from './paths.mjs';
import { say, SetupError } from './say.mjs';
import { isExecutable, run, tail } from './shell.mjs';
import { versions } from './versions.mjs';

const folder = join(cache, 'toolchain');

/** Installs the pinned Node and pnpm into the cache folder when they are missing or of another version. */
export async function ensureToolchain() {
  if (isInstalled()) return;
  say(`Installing Node ${versions.node} and pnpm ${versions.pnpm} into .cache (once) …`);
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: { node: versions.node, pnpm: versions.pnpm } }));
  // The node package fetches its program from an install script, so scripts must run here whatever npm's settings say.
  const args = [
    'install',
    '--prefix',
    draft,
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--ignore-scripts=false',
    '--include=optional',
  ];
  const { code, output } = await runNpm(args, draft);
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new SetupError(
      `Node ${versions.node} and pnpm ${versions.pnpm} could not be installed from the npm registry; check the network and npm's registry setting.\n${tail(output)}`,
    );
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  if (!isInstalled())
    throw new SetupError(`npm installed Node ${versions.node} without its program; delete .cache/toolchain and try again.`);
}

function isInstalled() {
  return versionOf('node') === versions.node && versionOf('pnpm') === versions.pnpm && isExecutable(pinnedNode);
}

function versionOf(name) {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
  } catch {
    // Missing or half written: install again.
    return undefined;
  }
}

/** The npm that started us when there is one, else the npm beside our Node on PATH. */
function runNpm(args, cwd) {
  const script = process.env.npm_execpath ?? '';
  if (basename(script) === 'npm-cli.js') return run(process.execPath, [script, ...args], { cwd });
  return run('npm', args, { cwd });
}

/** Environment for programs of the tool chain. */
export function toolchainEnv() {
  return { PATH: toolchainPath() };
}
