import { createServer } from 'node:net';
import { LocalServerError } from './error.js';

/** A TCP port of an address that was free a moment ago. Another process may take it first, so callers retry. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new LocalServerError('the system gave no port number'));
      });
    });
  });
}
