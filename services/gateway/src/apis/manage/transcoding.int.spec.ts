import { startTranscodeBatch } from '@continuo/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startManagedGateway } from '../../../test/manage/managed-gateway.js';
import type { OperatedGateway } from '../../../test/manage/operated-gateway.js';
import { fixedAuth, testAccounts } from '../../../test/servers/test-gateway.js';

const root = { id: 2, username: 'root', access: 100, token: 'root-token' } as const;
let server: OperatedGateway;

beforeAll(async () => {
  server = await startManagedGateway({ auth: fixedAuth([...Object.values(testAccounts), root]) }, true);
});
afterAll(() => server.stop());

it.each([
  ['song', 1, { format: 'mp3' }, { format: 'mp3', bitrateKbps: 128 }],
  ['song', 1, { format: 'mp3', bitrateKbps: 192 }, { format: 'mp3', bitrateKbps: 192 }],
] as const)('%s %i is made ahead as %j with %j: a stream that names no bit rate finds it', async (kind, id, profile, made) => {
  const { status } = await server.call('POST', '/transcoding/batches', { body: { kind, id, profile }, token: root.token });
  const { data } = server.sent.findLast(({ verb }) => verb === startTranscodeBatch.verb) ?? {};
  expect([status, data]).toMatchObject([202, { items: [{ type: kind, id }], profile: made }]);
});
