import { testNats } from '@continuo/local-servers';
import { connect } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { askOtherWorkers } from './other-caches.js';

it('is said by nobody where there is nobody to ask', async () => {
  const nats = await testNats();
  const connection = await connect({ servers: nats.url });
  const source = { catalogPath: '/music', path: 'a.flac', sizeBytes: 1, modifiedAtMs: 1, durationMs: 1000 };
  await expect(askOtherWorkers(connection)({ source, target: { format: 'mp3', offsetMs: 0 } })).resolves.toBeUndefined();
  await connection.close();
  await nats.stop();
});
