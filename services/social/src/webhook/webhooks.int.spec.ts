import { randomUUID } from 'node:crypto';
import { listDeadLetters, replayDeadLetters, type AppendPart } from '@continuo/chassis';
import {
  changeUser,
  addCatalogGroup,
  addWebhook,
  allPublicEventTypes,
  annotatedKind,
  catalogId,
  changeCatalogGroup,
  createShare,
  disableWebhook,
  enableWebhook,
  eventStreams,
  joinCatalogGroup,
  playlistChanged,
  playlistCreated,
  playlistId,
  publicEvent,
  rateObject,
  registerUser,
  removeWebhook,
  setPreference,
  songPlayed,
  songId,
  testWebhook,
  userId,
  visitShare,
  type UserId,
  type WebhookDeliveryTable,
} from '@continuo/contracts';
import { notifiedContexts } from '@continuo/public-events';
import { jetstreamManager } from '@nats-io/jetstream';
import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningSocial } from '../../test/running-social.js';
import { RECEIVER_HOST, WebhookReceiver } from '../../test/webhook-receiver.js';

const WAIT = { timeout: 20_000, interval: 20 };
const ATTEMPTS = 3;
let social: RunningSocial;
let receiver: WebhookReceiver;
let nextObject = 1000;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  social = await RunningSocial.start({
    environment: {
      OUTBOUND_ALLOWED_NETWORKS: RECEIVER_HOST,
      WEBHOOK_ATTEMPTS: String(ATTEMPTS),
      WEBHOOK_FIRST_RETRY_MS: '50',
      WEBHOOK_TIMEOUT_MS: '1000',
      LOG_LEVEL: 'silent',
    },
  });
  // What the library publishes, as far as catalogs of songs are looked up in it.
  await sql`create schema library`.execute(social.db);
  await sql`create table library.song (id integer, catalog_id integer)`.execute(social.db);
  await sql`insert into library.song values (1, 1), (2, 2)`.execute(social.db);
});
afterAll(async () => {
  await social.stop();
  receiver.stop();
});

const account = async (name: string): Promise<UserId> =>
  userId.parse(
    (await social.send(registerUser, { username: `${name}-${randomUUID().slice(0, 8)}`, password: 'sesame', access: 25 })).userId,
  );
const hook = async (
  path: string,
  more: Partial<Parameters<typeof social.send<typeof addWebhook.schema, typeof addWebhook.result>>[1]> = {},
) => social.send(addWebhook, { url: receiver.url(path), patterns: ['rating.*'], ...more });
const rate = async (who: UserId, rating = 3): Promise<number> => {
  nextObject += 1;
  await social.send(rateObject, { userId: who, kind: annotatedKind.parse('genre'), objectId: nextObject, rating });
  return nextObject;
};
const objectsAt = (path: string): string[] => receiver.at(path).map(({ event }) => event.object.id);
const arrived = (path: string, count: number): Promise<void> =>
  vi.waitFor(() => expect(receiver.at(path).length).toBeGreaterThanOrEqual(count), WAIT);
const journal = (webhookId: number): Promise<WebhookDeliveryTable[]> =>
  social.db.selectFrom('social.webhook_delivery').selectAll().where('webhook_id', '=', webhookId).orderBy('first_at_ms').execute();
const rowOf = (id: number) => social.db.selectFrom('social.webhook').selectAll().where('id', '=', id).executeTakeFirst();
/** Puts events into a log that another service writes. */
const append = (part: Omit<AppendPart, 'expectedPosition'> & { readonly expectedPosition?: number }) =>
  social.deps.eventStore.append([{ expectedPosition: 0, ...part }], {
    actor: 'system',
    correlationId: 'spec',
    causationId: 'spec',
    at: Date.now(),
  });
const consumers = async (stream: string): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of (await jetstreamManager(social.deps.nats)).consumers.list(stream)) names.push(name);
  return names;
};

describe('a webhook', () => {
  it('is told what happens, signed so that its receiver can tell', async () => {
    const ada = await account('ada');
    const { secret, webhookId } = await hook('/signed');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const object = await rate(ada, 4);
    await arrived('/signed', 1);
    const [one] = receiver.at('/signed');
    expect(new Verifier(secret).verify(one?.body ?? '', one?.headers as Record<string, string>)).toEqual(one?.event);
    expect(() => new Verifier(`whsec_${'A'.repeat(43)}=`).verify(one?.body ?? '', one?.headers as Record<string, string>)).toThrow(
      /signature/i,
    );
    expect(one?.headers).toMatchObject({ 'webhook-id': one?.event.id, 'content-type': 'application/json', 'user-agent': 'continuo' });
    expect(publicEvent.parse(one?.event)).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: 'rating.set',
      actor: { type: 'user', id: String(ada) },
      object: { type: 'genre', id: String(object) },
      data: { rating: 4 },
    });
    await vi.waitFor(
      async () =>
        expect(await journal(webhookId)).toMatchObject([
          { outcome: 'delivered', attempts: 1, status: 204, payload: one?.body, answer: '' },
        ]),
      WAIT,
    );
  });

  it('keeps its address and its secret sealed, in the log and in the tables', async () => {
    const given = `whsec_${Buffer.from('a secret of the receiver, given').toString('base64')}`;
    const { secret, webhookId } = await hook('/sealed?token=hunter2', { secret: given });
    expect(secret).toBe(given);
    const row = await rowOf(webhookId);
    const log = await social.deps.eventStore.read('social', 'webhook', webhookId);
    for (const kept of [row, log]) expect(JSON.stringify(kept)).not.toMatch(/hunter2|whsec_/);
    expect(social.deps.sealer.open(row?.sealed_url ?? '')).toBe(receiver.url('/sealed?token=hunter2'));
    expect(row).toMatchObject({ host: new URL(receiver.url('/')).host, enabled: true, run: 1 });
  });

  it('is made once however often the command comes, and only with a form that works', async () => {
    const wanted = { url: receiver.url('/once'), patterns: ['play.*'] };
    const commandId = randomUUID();
    const made = await Promise.all([1, 2, 3].map(() => social.send(addWebhook, wanted, commandId)));
    expect(new Set(made.map(({ webhookId, secret }) => `${webhookId} ${secret}`)).size).toBe(1);
    for (const url of ['file:///etc/passwd', 'no address', 'http://a:b@example.org/', 'http://example.org:25/'])
      await expect(social.send(addWebhook, { ...wanted, url })).rejects.toMatchObject({ code: 'input.invalid', subject: 'url' });
    await expect(social.send(addWebhook, { ...wanted, patterns: ['nothing.*'] })).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(social.send(addWebhook, { ...wanted, secret: 'whsec_short' })).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(social.send(addWebhook, { ...wanted, userId: userId.parse(999_999) })).rejects.toMatchObject({ code: 'user.not-found' });
  });

  it('is told every event once and in order, although two replicas tell', async () => {
    const bob = await account('bob');
    await hook('/order');
    const wanted: string[] = [];
    for (let n = 0; n < 30; n += 1) wanted.push(String(await rate(bob)));
    await arrived('/order', wanted.length);
    expect(objectsAt('/order')).toEqual(wanted);
    expect(new Set(receiver.ids('/order')).size).toBe(wanted.length);
  });
});

describe('what a webhook is told', () => {
  it('is nothing that people keep to themselves, unless it sees with their visibility', async () => {
    const [open, shut] = [await account('open'), await account('shut')];
    await social.send(setPreference, { name: 'allow_personal_info_recent', value: '0', holder: { userId: shut } });
    await hook('/operator');
    await hook('/own', { userId: shut });
    await hook('/other', { userId: open });
    const hidden = String(await rate(shut));
    const shown = String(await rate(open));
    await Promise.all(['/operator', '/own', '/other'].map((path) => vi.waitFor(() => expect(objectsAt(path)).toContain(shown), WAIT)));
    expect(objectsAt('/own')).toContain(hidden);
    for (const path of ['/operator', '/other']) expect(objectsAt(path)).not.toContain(hidden);
    await social.send(changeUser, { userId: shut, disabled: true });
    const after = String(await rate(open));
    await vi.waitFor(() => expect(objectsAt('/operator')).toContain(after), WAIT);
    await rate(open);
    expect(objectsAt('/own')).not.toContain(after);
  });

  it('is nothing of catalogs that its account does not see', async () => {
    const carol = await account('carol');
    const { groupId } = await social.send(addCatalogGroup, { name: 'half' });
    await social.send(changeCatalogGroup, { groupId, add: [catalogId.parse(1)] });
    await social.send(joinCatalogGroup, { userId: carol, groupId });
    await hook('/half', { userId: carol, patterns: ['play.recorded'] });
    await hook('/whole', { patterns: ['play.recorded'] });
    const played = (song: number) => songPlayed({ userId: carol, songId: songId.parse(song), playedAtMs: 1, client: 'spec' });
    await append({ context: 'playback', aggregate: 'plays', id: carol, events: [played(2), played(1), played(77)] });
    await arrived('/whole', 3);
    await arrived('/half', 1);
    const last = await account('dora');
    await append({
      context: 'playback',
      aggregate: 'plays',
      id: last,
      events: [songPlayed({ userId: last, songId: songId.parse(1), playedAtMs: 1, client: 'spec' })],
    });
    await arrived('/half', 2);
    expect(objectsAt('/half')).toEqual(['1', '1']);
    expect(objectsAt('/whole').slice(0, 3)).toEqual(['2', '1', '77']);
  });

  it('is of shares for owners and operators, without their secrets', async () => {
    const [owner, other] = [await account('owner'), await account('stranger')];
    await hook('/shares', { patterns: ['share.*'] });
    await hook('/shares-own', { patterns: ['share.*'], userId: owner });
    await hook('/shares-other', { patterns: ['share.*', 'rating.*'], userId: other });
    const terms = { description: 'between us', allowStream: true, allowDownload: false, expiresAtMs: null };
    const { shareId } = await social.send(createShare, { userId: owner, kind: 'song', objectIds: [1], ...terms });
    await social.send(visitShare, { shareId });
    const marker = String(await rate(other));
    await vi.waitFor(() => expect(objectsAt('/shares-other')).toEqual([marker]), WAIT);
    await Promise.all(['/shares', '/shares-own'].map((path) => arrived(path, 2)));
    for (const path of ['/shares', '/shares-own']) {
      expect(receiver.at(path).map(({ event }) => event.type)).toEqual(['share.made', 'share.visited']);
      expect(
        receiver
          .at(path)
          .map(({ body }) => body)
          .join(' '),
      ).not.toMatch(/between us|secret|sha256/i);
    }
  });

  it('is of private playlists for owners, collaborators and operators alone, as they are by now', async () => {
    const [owner, helper, other] = [await account('owner'), await account('helper'), await account('stranger')];
    const patterns = ['playlist.*'];
    await hook('/lists', { patterns });
    await hook('/lists-owner', { patterns, userId: owner });
    await hook('/lists-helper', { patterns, userId: helper });
    await hook('/lists-other', { patterns, userId: other });
    const terms = { name: 'quiet', comment: '', ownerId: owner, isPublic: false, collaboratorIds: [helper] };
    const { position } = await append({
      context: 'library',
      aggregate: 'playlist',
      id: 1,
      events: [playlistCreated({ playlistId: playlistId.parse(1), ...terms })],
    });
    await append({
      context: 'library',
      aggregate: 'playlist',
      id: 1,
      events: [playlistChanged({ playlistId: playlistId.parse(1), isPublic: true })],
      expectedPosition: position,
    });
    await Promise.all(['/lists', '/lists-owner', '/lists-helper'].map((path) => arrived(path, 2)));
    await arrived('/lists-other', 1);
    const [first] = receiver.at('/lists-other');
    expect(first?.event).toMatchObject({ type: 'playlist.changed', object: { type: 'playlist', id: '1' } });
  });
});

describe('a receiver that does not take what it is told', () => {
  it('is told again with the same id, keeps the order, and holds up nobody else', async () => {
    const eve = await account('eve');
    let refusals = 2;
    receiver.answers.set('/stumbles', () => ({ status: (refusals -= 1) >= 0 ? 503 : 200 }));
    receiver.answers.set('/silent', () => 'never');
    const { webhookId } = await hook('/stumbles');
    const silent = await hook('/silent');
    await hook('/well');
    const wanted = [String(await rate(eve)), String(await rate(eve))];
    await arrived('/well', 2);
    expect(objectsAt('/well')).toEqual(wanted);
    expect((await journal(silent.webhookId)).filter(({ outcome }) => outcome === 'delivered')).toEqual([]);
    await arrived('/stumbles', 4);
    expect(objectsAt('/stumbles')).toEqual([wanted[0], wanted[0], wanted[0], wanted[1]]);
    const [a, b, c] = receiver.at('/stumbles');
    expect(new Set([a, b, c].map((one) => one?.headers['webhook-id'])).size).toBe(1);
    const pauses = [(b?.atMs ?? 0) - (a?.atMs ?? 0), (c?.atMs ?? 0) - (b?.atMs ?? 0)];
    expect(pauses[0]).toBeGreaterThanOrEqual(39);
    expect(pauses[1]).toBeGreaterThanOrEqual(118);
    await vi.waitFor(
      async () => expect(await journal(webhookId)).toMatchObject([{ outcome: 'delivered', attempts: 3 }, { attempts: 1 }]),
      WAIT,
    );
    await social.send(removeWebhook, { webhookId: silent.webhookId });
  });

  it('waits as long as the receiver asks for', async () => {
    const fay = await account('fay');
    receiver.answers.set('/later', () =>
      receiver.at('/later').length === 1 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 },
    );
    await hook('/later');
    await rate(fay);
    await arrived('/later', 2);
    const [first, second] = receiver.at('/later');
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('has what it never took put aside, and replayed when an operator says so', async () => {
    const gil = await account('gil');
    let broken = true;
    receiver.answers.set('/broken', () => ({ status: broken ? 500 : 200 }));
    const { webhookId } = await hook('/broken');
    const lost = String(await rate(gil));
    await arrived('/broken', ATTEMPTS);
    await vi.waitFor(
      async () => expect(await journal(webhookId)).toMatchObject([{ outcome: 'dead', attempts: ATTEMPTS, status: 500 }]),
      WAIT,
    );
    broken = false;
    const next = String(await rate(gil));
    await vi.waitFor(() => expect(objectsAt('/broken').at(-1)).toBe(next), WAIT);
    const sequences: number[] = [];
    await vi.waitFor(async () => {
      for await (const letter of listDeadLetters(social.deps.nats, { subject: `react.social-webhook-${webhookId}-social` }))
        sequences.push(letter.sequence);
      expect(sequences).toHaveLength(1);
    }, WAIT);
    expect(await replayDeadLetters(social.deps.nats, { sequences })).toBe(1);
    await vi.waitFor(() => expect(objectsAt('/broken').at(-1)).toBe(lost), WAIT);
    expect(
      new Set(
        receiver
          .at('/broken')
          .filter(({ event }) => event.object.id === lost)
          .map(({ headers }) => headers['webhook-id']),
      ).size,
    ).toBe(1);
    await vi.waitFor(
      async () => expect((await journal(webhookId)).map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered']),
      WAIT,
    );
  });

  it('is told nothing more when it says that it is gone, until an operator enables it, and then nothing of the time between', async () => {
    const hal = await account('hal');
    receiver.answers.set('/gone', () => ({ status: receiver.at('/gone').length === 1 ? 410 : 200 }));
    const { webhookId } = await hook('/gone');
    await rate(hal);
    await vi.waitFor(async () => expect(await rowOf(webhookId)).toMatchObject({ enabled: false, ended_by: 'gone' }), WAIT);
    await rate(hal);
    await vi.waitFor(
      async () => expect((await consumers('EV_SOCIAL')).filter((name) => name.includes(`webhook-${webhookId}-`))).toEqual([]),
      WAIT,
    );
    await social.send(enableWebhook, { webhookId });
    const heard = String(await rate(hal));
    await arrived('/gone', 2);
    expect(objectsAt('/gone')).toHaveLength(2);
    expect(objectsAt('/gone')[1]).toBe(heard);
    expect(await rowOf(webhookId)).toMatchObject({ enabled: true, ended_by: null, run: 2 });
  });

  it('is told nothing more after three events in a row that it never took', async () => {
    const ian = await account('ian');
    receiver.answers.set('/dead', () => ({ status: 500 }));
    const { webhookId } = await hook('/dead');
    for (let n = 0; n < 5; n += 1) await rate(ian);
    await vi.waitFor(async () => expect(await rowOf(webhookId)).toMatchObject({ enabled: false, ended_by: 'failing' }), WAIT);
    // The other replica may have taken one more before it heard of it.
    expect(new Set(receiver.ids('/dead')).size).toBeLessThanOrEqual(4);
  });
});

describe('addresses inside the house', () => {
  it('are never reached, and a test says why', async () => {
    const inside = await WebhookReceiver.start();
    const address = new URL(
      social.deps.config.NATS_URL.includes('://') ? social.deps.config.NATS_URL : `nats://${social.deps.config.NATS_URL}`,
    );
    const urls = [`http://127.0.0.1:${address.port}/`, 'http://localhost/', 'http://[::1]/', 'http://169.254.169.254/latest/meta-data/'];
    for (const url of urls) {
      const { webhookId } = await social.send(addWebhook, { url, patterns: ['*'] });
      const { status, fault } = await social.send(testWebhook, { webhookId });
      expect([url, status, fault]).toEqual([url, null, expect.stringMatching(/^address-refused: /)]);
      await social.send(removeWebhook, { webhookId });
    }
    const { webhookId } = await social.send(addWebhook, { url: receiver.url('/redirects'), patterns: ['rating.*'] });
    receiver.answers.set('/redirects', () => ({ status: 307, headers: { location: inside.url('/x') } }));
    expect(await social.send(testWebhook, { webhookId })).toMatchObject({ status: 307, fault: 'the receiver answered 307' });
    expect(inside.received).toEqual([]);
    inside.stop();
    await social.send(removeWebhook, { webhookId });
  });

  it('a test is signed and of its own type', async () => {
    const { webhookId, secret } = await hook('/test');
    expect(await social.send(testWebhook, { webhookId })).toMatchObject({ status: 204, fault: null });
    const [one] = receiver.at('/test');
    expect(new Verifier(secret).verify(one?.body ?? '', one?.headers as Record<string, string>)).toMatchObject({ type: 'webhook.tested' });
    await expect(social.send(testWebhook, { webhookId: 99_999 })).rejects.toMatchObject({ code: 'webhook.not-found' });
  });
});

describe('the end of a webhook', () => {
  it('leaves nothing behind', async () => {
    const { webhookId } = await hook('/removed', { patterns: [...allPublicEventTypes] });
    const mine = async (): Promise<string[]> => {
      const all = await Promise.all([...notifiedContexts.map((context) => eventStreams[context]), 'REACTIONS'].map(consumers));
      return all.flat().filter((name) => name.startsWith(`social-webhook-${webhookId}-`));
    };
    await vi.waitFor(async () => expect(await mine()).toHaveLength(notifiedContexts.length * 2), WAIT);
    await social.send(disableWebhook, { webhookId });
    await social.send(removeWebhook, { webhookId });
    await vi.waitFor(async () => expect(await mine()).toEqual([]), WAIT);
    expect(await rowOf(webhookId)).toBeUndefined();
    await expect(social.send(enableWebhook, { webhookId })).rejects.toMatchObject({ code: 'webhook.not-found' });
  });

  it('has tables that come back from the log', async () => {
    expect((await social.verifyRebuild('social-webhooks')).differing).toEqual([]);
  });
});
