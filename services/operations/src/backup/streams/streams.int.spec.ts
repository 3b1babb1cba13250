import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureEventStreams } from '@continuo/chassis';
import { testNats, type TestNats } from '@continuo/local-servers';
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { backupStream, consumersOf } from './backup-streams.js';
import { readIndex } from './message-index.js';
import { restoreUntil, restoreWhole, type StreamTarget } from './restore-streams.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let server: TestNats;
let nats: NatsConnection;
let manager: JetStreamManager;
let folder: string;
const target = (): StreamTarget => ({ nats, manager, replicas: 1 });

beforeAll(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url });
  manager = await jetstreamManager(nats);
  folder = await realpath(await mkdtemp(join(tmpdir(), 'continuo-streams-')));
});
afterAll(async () => {
  await nats.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const messagesOf = async (name: string): Promise<unknown[]> => {
  const { state } = await manager.streams.info(name);
  const all: unknown[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage(name, { seq });
    // Expected positions were checked at the write; mirrors leave the header out.
    const header = [...(message?.header ?? [])].filter(([key]) => !key.startsWith('Nats-Expected'));
    all.push(message && [message.seq, message.subject, message.timestamp, header, message.string()]);
  }
  return all;
};

/** Two events and a batch of three, to different aggregates. */
const writeEvents = async (context: string): Promise<void> => {
  const client = jetstream(nats);
  await client.publish(`ev.${context}.00.thing.1`, 'one', { msgID: 'a' });
  await client.publish(`ev.${context}.00.thing.2`, 'two', { expect: { lastSubjectSequence: 0 } });
  for (const place of [1, 2, 3]) {
    const batch = headers();
    batch.set('Nats-Batch-Id', 'batch');
    batch.set('Nats-Batch-Sequence', String(place));
    if (place === 3) batch.set('Nats-Batch-Commit', '1');
    if (place === 3) await nats.request(`ev.${context}.00.thing.3`, `part ${place}`, { headers: batch, timeout: 10_000 });
    else nats.publish(`ev.${context}.00.thing.3`, `part ${place}`, { headers: batch });
  }
};

it('brings a log back bit for bit, with its consumers where they stood, as another incarnation of it', async () => {
  await ensureEventStreams(manager, ['library'], 1);
  await writeEvents('library');
  await manager.consumers.add('EV_LIBRARY', { durable_name: 'reactor', ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All });
  const reactor = await jetstream(nats).consumers.get('EV_LIBRARY', 'reactor');
  for (let n = 0; n < 2; n += 1) await (await reactor.next())?.ackAck();
  const [before, { config }] = [await messagesOf('EV_LIBRARY'), await manager.streams.info('EV_LIBRARY')];
  const entry = await backupStream({ nats, manager }, folder, {
    name: 'EV_LIBRARY',
    consumers: await consumersOf({ nats, manager }, 'EV_LIBRARY'),
  });
  const places: unknown[] = [];
  if (entry.index)
    for await (const { position, batch } of readIndex(folder, entry.index)) places.push([position, batch?.place, batch?.isLast]);
  expect(places).toEqual([
    [1, undefined, undefined],
    [2, undefined, undefined],
    [3, 1, false],
    [4, 2, false],
    [5, 3, true],
  ]);
  await manager.streams.delete('EV_LIBRARY');
  expect(await restoreWhole(target(), folder, entry)).toMatchObject({
    messages: 5,
    lastPosition: 5,
    epochs: { before: config.metadata?.['continuo-epoch'] },
  });
  expect(await messagesOf('EV_LIBRARY')).toEqual(before);
  const after = (await manager.streams.info('EV_LIBRARY')).config;
  expect(after).toMatchObject({ deny_delete: true, allow_atomic: true, subjects: ['ev.library.>'] });
  expect(after.metadata?.['continuo-epoch']).not.toBe(config.metadata?.['continuo-epoch']);
  expect((await (await jetstream(nats).consumers.get('EV_LIBRARY', 'reactor')).next())?.seq).toBe(3);
});

it('ends a log at a position, from which it goes on', async () => {
  await ensureEventStreams(manager, ['social'], 1);
  await writeEvents('social');
  const before = await messagesOf('EV_SOCIAL');
  const entry = await backupStream({ nats, manager }, folder, { name: 'EV_SOCIAL', consumers: [] });
  for (const last of [2, 0, 5]) {
    await manager.streams.delete('EV_SOCIAL');
    expect(await restoreUntil(target(), folder, entry, last)).toMatchObject({ messages: last, lastPosition: last });
    expect(last === 0 ? [] : await messagesOf('EV_SOCIAL')).toEqual(before.slice(0, last));
    const { config } = await manager.streams.info('EV_SOCIAL');
    expect(config).toMatchObject({ deny_delete: true, allow_atomic: true, allow_direct: true, discard: 'new', subjects: ['ev.social.>'] });
    expect(config.mirror).toBeUndefined();
    expect(await jetstream(nats).publish('ev.social.00.thing.9', 'on', { expect: { lastSubjectSequence: 0 } })).toMatchObject({
      seq: last + 1,
    });
    expect((await manager.streams.names().next()).filter((name) => name.startsWith('RESTORE_'))).toEqual([]);
  }
});

it('keeps gaps of buckets, and takes it that sessions have ended since', async () => {
  const bucket = await new Kvm(jetstream(nats)).create('pii_keys', { history: 1, storage: 'file' });
  for (const key of ['1', '2', '3', '4']) await bucket.put(key, `key of ${key}`);
  await manager.streams.deleteMessage('KV_pii_keys', 3, true);
  await bucket.purge('1');
  const before = await messagesOf('KV_pii_keys');
  const entry = await backupStream({ nats, manager }, folder, { name: 'KV_pii_keys', consumers: [] });
  await manager.streams.delete('KV_pii_keys');
  await restoreWhole(target(), folder, entry);
  expect(await messagesOf('KV_pii_keys')).toEqual(before);

  const sessions = await new Kvm(jetstream(nats)).create('sessions', { history: 1, storage: 'file', ttl: 2000 });
  for (const key of ['a', 'b']) await sessions.put(key, 'session');
  const ending = await backupStream({ nats, manager }, folder, { name: 'KV_sessions', consumers: [] });
  expect(ending.state.messages).toBe(2);
  await manager.streams.delete('KV_sessions');
  await delay(2500);
  await restoreWhole(target(), folder, ending);
  await expect.poll(async () => (await manager.streams.info('KV_sessions')).state.messages).toBe(0);
});

it('waits for a cluster that still has the name of what it has deleted in use, longer than it puts up with faults', async () => {
  await ensureEventStreams(manager, ['playback'], 1);
  await writeEvents('playback');
  const before = await messagesOf('EV_PLAYBACK');
  const entry = await backupStream({ nats, manager }, folder, { name: 'EV_PLAYBACK', consumers: [] });
  await manager.streams.delete('EV_PLAYBACK');
  let refusals = 5;
  const request: NatsConnection['request'] = async (subject, ...rest) => {
    const answer = await nats.request(subject, ...rest);
    if (!subject.startsWith('$JS.API.STREAM.RESTORE.') || (refusals -= 1) < 0) return answer;
    return Object.assign(answer, { json: () => ({ error: { err_code: 10_058, description: 'stream name already in use' } }) });
  };
  const busy = new Proxy(nats, { get: (of, name) => (name === 'request' ? request : Reflect.get(of, name, of)) as unknown });
  await restoreWhole({ ...target(), nats: busy }, folder, entry);
  expect(await messagesOf('EV_PLAYBACK')).toEqual(before);
});
