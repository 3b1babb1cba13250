import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { handOver, isUp, networkOf, startControlPlane, stopCluster } from './src/cluster.mjs';
import { loadImages } from './src/containers.mjs';
import { startNode } from './src/nodes.mjs';
import { buildPrograms } from './src/programs.mjs';
import { prove } from './src/prove.mjs';
import { installSystem } from './src/system.mjs';

const USAGE = `node tools/cluster/main.mjs <command>

  build [group …]   builds Kubernetes and what belongs to it from Go modules (once; "keda" only when it is asked for)
  up [nodes]        starts a cluster of one node, or of as many, in namespaces of its own, and gives it the images of tools/local-images
  prove [name …]    installs the chart, uses it, breaks it, upgrades it, … and says what came of it
  kubectl|helm …    runs the program against the cluster
  down              ends the cluster and removes everything it wrote
  run [nodes]       build, up, prove, down
`;

/** Runs this program again in the network of the cluster, where its addresses exist. */
const inNetwork = (args) =>
  new Promise((resolve, reject) => {
    const self = [process.execPath, fileURLToPath(import.meta.url), ...args];
    const child = spawn('nsenter', [...networkOf(), ...self], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 128));
  });

const up = async ([nodes = '1']) => {
  await buildPrograms();
  await startControlPlane();
  await startNode('node-1');
  await loadImages();
  for (let number = 2; number <= Number(nodes); number += 1) await startNode(`node-${number}`);
  await installSystem();
};

const commands = {
  build: (groups) => buildPrograms(groups.length > 0 ? groups : undefined),
  up,
  down: stopCluster,
  prove: (names) => inNetwork(['prove-inside', ...names]),
  'prove-inside': prove,
  kubectl: (args) => handOver('kubectl', args),
  helm: (args) => handOver('helm', args),
  run: async (nodes) => {
    if (isUp()) throw new Error('a cluster runs already: node tools/cluster/main.mjs down');
    try {
      await up(nodes);
      return await commands.prove([]);
    } finally {
      await stopCluster();
    }
  },
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) process.exitCode = (await command(args)) ?? 0;
else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
