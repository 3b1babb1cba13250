import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's client brings BuildKit along; a newer one without its plug-in does not. */
const docker = existsSync('/usr/bin/docker') ? '/usr/bin/docker' : 'docker';

/**
 * Runs a program, its output on our stderr; rejects with its name when it fails.
 * @param {{ input?: import('node:stream').Readable, cwd?: string }} options
 */
export const run = (program, args, { input, cwd } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: [input ? 'pipe' : 'ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(output.trim()) : reject(new Error(`${program} ${args[0]} ended with ${code}`))));
    input?.pipe(child.stdin);
  });

/** @throws Error that says what to do when no engine answers */
export const requireEngine = async () => {
  try {
    await run(docker, ['version', '--format', '{{.Server.Version}}']);
  } catch (cause) {
    throw new Error('no Docker engine answers: install docker.io and start dockerd', { cause });
  }
};

/** The id of an image, or undefined. */
export const imageId = (name) => run(docker, ['images', '--quiet', '--no-trunc', name]).then((id) => id || undefined);

/** Makes an image of a folder's contents. */
export const importFolder = (folder, name, label) => {
  const tar = spawn('tar', ['--create', '--sort=name', '--numeric-owner', '--directory', folder, '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return run(docker, ['import', '--change', `LABEL ${label}`, '-', name], { input: tar.stdout });
};

/** Builds a Dockerfile. @param {{ file: string, context: string, target?: string, args?: Record<string, string>, tag: string }} build */
export const build = ({ file, context, target, args = {}, tag }) =>
  run('env', [
    'DOCKER_BUILDKIT=1',
    'BUILDKIT_PROGRESS=plain',
    docker,
    'build',
    '--file',
    file,
    ...(target ? ['--target', target] : []),
    ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    '--tag',
    tag,
    context,
  ]);
