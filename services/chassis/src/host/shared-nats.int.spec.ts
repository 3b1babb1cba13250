import { testNats } from '@continuo/local-servers';
import { expect, it } from 'vitest';
import { recordingLog } from '../../test/recording-log.js';
import { SharedNats } from './shared-nats.js';

it('gives services of a process one connection, which the last of them closes', async () => {
  const server = await testNats();
  const { log } = recordingLog();
  const connections = new SharedNats('standalone');
  const open = () => connections.open('any', { NATS_URL: server.url }, log);
  const [library, social] = await Promise.all([open(), open()]);
  expect(social.nats).toBe(library.nats);
  await library.close();
  expect(social.nats.isClosed()).toBe(false);
  await social.close();
  expect(social.nats.isClosed()).toBe(true);
  const anew = await open();
  await anew.nats.flush();
  await anew.close();
  await server.stop();
});
