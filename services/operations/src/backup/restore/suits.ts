import { definitionOf, isBefore, productVersion } from '@continuo/chassis';
import { OperatorError } from '../../connect/operator-error.js';
import type { Manifest } from '../format/manifest.js';
import { isSecretOf } from '../format/secret-check.js';

/** Refuses a backup of a newer release: what it wrote might be read wrongly or not at all. Older ones are what updates read, too. @throws OperatorError */
export const checkRelease = ({ product, events }: Manifest): void => {
  const unknown = Object.entries(events).find(([type, v]) => (definitionOf(type)?.v ?? 0) < v);
  if (unknown === undefined && !isBefore(productVersion, product.version)) return;
  const what = unknown ? ` (it knows ${unknown[0]} in version ${unknown[1]})` : '';
  throw new OperatorError(
    `the backup was written by a newer release, ${product.version}${what}; this is ${productVersion}`,
    'restore it with that release, or a newer one',
  );
};

/** Refuses a server of another secret: nobody could log in by password or read personal data. @throws OperatorError */
export const checkSecret = async ({ secret }: Manifest, known: readonly string[]): Promise<void> => {
  for (const candidate of known) if (await isSecretOf(secret, candidate)) return;
  throw new OperatorError(
    known.length === 0 ? 'the secret of the server is not known' : 'the backup is of a server with another secret',
    'set CONTINUO_SECRET to the one that the server had, or put the file "secret" that was kept beside the backup into the data folder',
  );
};

/** Refuses a NATS that is older than the one that wrote the streams: it may not know their layout. @throws OperatorError */
export const checkNatsVersion = ({ nats }: Manifest, here: string): void => {
  if (!isBefore(here, nats, 2)) return;
  throw new OperatorError(
    `the streams were written by nats-server ${nats}; ${here} may not be able to read them`,
    `upgrade nats-server to ${nats} or newer`,
  );
};
