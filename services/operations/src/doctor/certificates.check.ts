import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import type { NatsFiles } from '../connect/locate.js';
import { fault, ok, reasonOf, warning, type Finding } from './finding.js';

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;
const TIMEOUT_MS = 5000;
const HTTPS_PORT = 443;

/** Judges the end of a certificate's validity. */
export const judgeCertificate = (subject: string, validToMs: number, nowMs: number): Finding => {
  const days = Math.floor((validToMs - nowMs) / DAY_MS);
  const until = new Date(validToMs).toISOString().slice(0, 10);
  if (days < 0) return fault(subject, `was good until ${until}`, 'renew it');
  return days < SOON_DAYS
    ? warning(subject, `is good for ${days} days more (${until})`, 'renew it')
    : ok(subject, `is good until ${until}`);
};

/** When the certificate of a server ends, epoch ms. */
const endOfServed = (url: URL): Promise<number> =>
  new Promise((resolve, reject) => {
    const port = Number(url.port || HTTPS_PORT);
    // Whether it is to be believed is what clients will say; here its end is asked for.
    const socket = connect({ host: url.hostname, port, servername: url.hostname, rejectUnauthorized: false, timeout: TIMEOUT_MS }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    socket.once('error', reject);
  });

/** Certificates in front of the server and towards NATS are good for a while yet. */
export const checkCertificates = async (publicUrl: string | undefined, files: NatsFiles = {}, nowMs = Date.now()): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (url?.protocol === 'https:') {
    const subject = `Certificate of ${url.host}`;
    findings.push(
      await endOfServed(url).then(
        (validToMs) => judgeCertificate(subject, validToMs, nowMs),
        (error: unknown) => warning(subject, `cannot be seen: ${reasonOf(error)}`, 'is PUBLIC_URL right, and reachable from here?'),
      ),
    );
  }
  for (const [name, path] of [
    ['NATS_TLS_CA_FILE', files.NATS_TLS_CA_FILE],
    ['NATS_TLS_CERT_FILE', files.NATS_TLS_CERT_FILE],
  ] as const) {
    if (path === undefined) continue;
    findings.push(
      await readFile(path).then(
        (pem) => judgeCertificate(name, Date.parse(new X509Certificate(pem).validTo), nowMs),
        (error: unknown) => fault(name, `cannot be read: ${reasonOf(error)}`, 'correct its path and permissions'),
      ),
    );
  }
  return findings;
};
