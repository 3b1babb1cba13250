import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInside } from './cluster.mjs';
import { images } from './names.mjs';
import { inState, programs } from './paths.mjs';
import { run, say } from './shell.mjs';

const docker = '/usr/bin/docker';
const PAUSE = 'continuo.local/pause:1';

const ctr = (...args) => runInside('ctr', ['--address', '/run/containerd/containerd.sock', '--namespace', 'k8s.io', ...args]);

/** Puts the images that a Docker engine has (tools/local-images makes them) into the node, and one for the sandboxes of pods. */
export const loadImages = async () => {
  say('handing images to the node …');
  await importImages([await fromScratch(PAUSE, 'pause', 'pause'), ...images]);
};

/** Gives images of the node another tag as well, as if there were another release. */
export const tagImages = async (names, tag) => {
  for (const name of names) await ctr('images', 'tag', '--force', name, `${name.slice(0, name.lastIndexOf(':'))}:${tag}`);
};

/** Makes an image with nothing in it but one of our built programs. Answers its name. */
export const fromScratch = async (name, program, as) => {
  const folder = mkdtempSync(join(tmpdir(), 'continuo-scratch-'));
  try {
    copyFileSync(join(programs, program), join(folder, as));
    writeFileSync(join(folder, 'Dockerfile'), `FROM scratch\nCOPY ${as} /${as}\nUSER 65532:65532\nENTRYPOINT ["/${as}"]\n`);
    await run(docker, ['build', '--quiet', '--tag', name, folder], { env: { DOCKER_BUILDKIT: '1' } });
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Hands images of the Docker engine to the node. */
export const importImages = async (names) => {
  const file = inState('images.tar');
  try {
    await run(docker, ['save', '--output', file, ...names]);
    await ctr('images', 'import', file);
  } finally {
    rmSync(file, { force: true });
  }
};

/** Ends a container as the kernel does: at once, without a word. */
export const killContainer = (id) => ctr('tasks', 'kill', '--signal', 'SIGKILL', id);
