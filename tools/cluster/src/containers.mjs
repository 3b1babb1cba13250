import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { images, services } from './names.mjs';
import { keepImages, nodeNames, runOn } from './nodes.mjs';
import { inState, programs } from './paths.mjs';
import { run, say } from './shell.mjs';

const docker = '/usr/bin/docker';
const PAUSE = 'continuo.local/pause:1';

const ctr = (node, ...args) => runOn(node, 'ctr', ['--address', '/run/containerd/containerd.sock', '--namespace', 'k8s.io', ...args]);

/** Puts the images that a Docker engine has (tools/local-images makes them) into the first node, and one for the sandboxes of pods; nodes that start later have them. */
export const loadImages = async () => {
  say('handing images to the first node …');
  await importImages([await fromScratch(PAUSE, 'pause', 'pause'), ...images]);
  for (const name of services) await ctr('node-1', 'images', 'tag', '--force', name, nextRelease(name));
  await keepImages('node-1');
};

/** Another tag that nodes have for an image, as if there were another release. */
const nextRelease = (name) => `${name.slice(0, name.lastIndexOf(':'))}:next`;

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

/** Hands images of the Docker engine to all nodes. */
export const importImages = async (names) => {
  const file = inState('images.tar');
  try {
    await run(docker, ['save', '--output', file, ...names]);
    for (const node of nodeNames()) await ctr(node, 'images', 'import', file);
  } finally {
    rmSync(file, { force: true });
  }
};

/** Ends a container as the kernel does: at once, without a word. */
export const killContainer = (node, id) => ctr(node, 'tasks', 'kill', '--signal', 'SIGKILL', id);
