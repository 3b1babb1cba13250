import { mkdirSync, writeFileSync } from 'node:fs';
import { inState, kubeconfig } from '../paths.mjs';
import { run } from '../shell.mjs';
import { API_IP, CONTROL_IP } from './network.mjs';

const pki = (name) => inState('pki', name);

/** Keys and certificates of a cluster that lives for a day or two, and the settings of its administrator. */
export const makeCertificates = async () => {
  mkdirSync(inState('pki'), { recursive: true, mode: 0o700 });
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '30',
    '-subj',
    '/CN=continuo-cluster',
    '-keyout',
    pki('ca.key'),
    '-out',
    pki('ca.crt'),
  );
  const names = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local', 'localhost'];
  const alternatives = [...names.map((name) => `DNS:${name}`), ...[API_IP, CONTROL_IP, '127.0.0.1'].map((ip) => `IP:${ip}`)];
  await issue('apiserver', '/CN=kube-apiserver', alternatives);
  await issue('admin', '/O=system:masters/CN=admin');
  await issue('front-proxy', '/CN=front-proxy');
  await openssl('genrsa', '-out', pki('accounts.key'), '2048');
  writeFileSync(kubeconfig, adminSettings(), { mode: 0o600 });
};

const openssl = (...args) => run('openssl', args);

const issue = async (name, subject, alternatives = []) => {
  await openssl(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    subject,
    '-keyout',
    pki(`${name}.key`),
    '-out',
    pki(`${name}.csr`),
  );
  const lines = [
    'extendedKeyUsage=serverAuth,clientAuth',
    ...(alternatives.length > 0 ? [`subjectAltName=${alternatives.join(',')}`] : []),
  ];
  writeFileSync(pki(`${name}.ext`), lines.join('\n'));
  const by = ['-CA', pki('ca.crt'), '-CAkey', pki('ca.key'), '-CAcreateserial', '-extfile', pki(`${name}.ext`)];
  await openssl('x509', '-req', '-days', '30', '-in', pki(`${name}.csr`), ...by, '-out', pki(`${name}.crt`));
};

const adminSettings = () =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'continuo', cluster: { server: `https://${CONTROL_IP}:6443`, 'certificate-authority': pki('ca.crt') } }],
    users: [{ name: 'admin', user: { 'client-certificate': pki('admin.crt'), 'client-key': pki('admin.key') } }],
    contexts: [{ name: 'continuo', context: { cluster: 'continuo', user: 'admin' } }],
    'current-context': 'continuo',
  });
