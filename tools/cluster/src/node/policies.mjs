import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { inState } from '../paths.mjs';
import { attempt, run, say } from '../shell.mjs';
import { CONTROL_IP } from './network.mjs';
import { CHAIN, rulesFor } from './policy-rules.mjs';

/** Keeps network policies: looks twice a second who is there, and lets iptables refuse the rest. */
const PAUSE_MS = 500;

const [ca, cert, key] = ['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFileSync(inState('pki', name)));

const items = (path) =>
  new Promise((resolve, reject) => {
    const asked = request({ host: CONTROL_IP, port: 6443, path, ca, cert, key, timeout: 10_000 }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(JSON.parse(text).items) : reject(new Error(`${path}: ${answer.statusCode}`)),
      );
      answer.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });

let known = '';
for (; ; await sleep(PAUSE_MS)) {
  try {
    const [pods, policies, namespaces] = await Promise.all([
      items('/api/v1/pods?resourceVersion=0'),
      items('/apis/networking.k8s.io/v1/networkpolicies?resourceVersion=0'),
      items('/api/v1/namespaces?resourceVersion=0'),
    ]);
    const rules = rulesFor({ pods, policies, namespaces });
    if (rules === known) continue;
    await run('iptables-restore', ['--noflush'], { input: rules });
    // First of all, and once: kube-proxy puts its own chains in front as well.
    const { code } = await attempt('iptables', ['-C', 'FORWARD', '-j', CHAIN]);
    if (code !== 0) await run('iptables', ['-I', 'FORWARD', '-j', CHAIN]);
    known = rules;
  } catch (error) {
    say(`network policies: ${error.message}`);
  }
}
