import { apply, kubectl } from '../cluster.mjs';
import { services } from '../names.mjs';
import { pods } from '../release.mjs';

const STRANGERS = 'strangers';
const PORTS = { gateway: [8080, 9090], library: [9090], transcoding: [7800, 9090], nats: [4222, 6222, 8222], postgres: [5432] };

/** Checks that a pod of another namespace reaches the API and the metrics, and nothing else. */
export const networkProof = {
  name: 'network',
  run: async () => {
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: STRANGERS } });
    await apply(stranger());
    await kubectl('--namespace', STRANGERS, 'wait', '--for=condition=Ready', 'pod/stranger', '--timeout=120s');
    const found = {};
    for (const [kind, ports] of Object.entries(PORTS)) {
      const [{ status }] = await pods(kind);
      for (const port of ports) found[`${kind} ${port}`] = await reach(status.podIP, port);
    }
    await kubectl('delete', 'namespace', STRANGERS);
    return found;
  },
};

const stranger = () => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'stranger', namespace: STRANGERS },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'stranger',
        image: services.find((name) => name.includes('-tools')),
        imagePullPolicy: 'Never',
        command: ['node', '-e', 'setInterval(() => undefined, 1e9)'],
      },
    ],
  },
});

const TRY = `
const [host, port] = process.argv.slice(1);
const socket = require('node:net').connect({ host, port: Number(port), timeout: 3000 });
const say = (text) => { console.log(text); process.exit(); };
socket.on('connect', () => say('open')).on('timeout', () => say('silent')).on('error', (error) => say(error.code));
`;

const reach = async (host, port) =>
  (await kubectl('--namespace', STRANGERS, 'exec', 'stranger', '--', 'node', '-e', TRY, host, String(port))).trim();
