import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createMetrics, ensureEventStreams, JetStreamEventStore, publicEventIds, toldContexts, type AppendPart } from '@continuo/chassis';
import {
  allPublicEventTypes,
  builtInPreferences,
  eventStreams,
  type AccessLevel,
  type DomainEvent,
  type PublicEvent,
} from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { VisibleCatalogs } from '../reads/viewer.js';
import type { Account, Auth } from '../auth/index.js';
import { Preferences, readModelPreferences } from '../preferences/index.js';
import { seedFixtureLibrary } from '../testkit/fixture-library.js';
import { EventListenerClient } from '../testkit/event-listener.js';
import { testReadModel, type TestReadModel } from '../testkit/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, TEST_NOW_MS, type TestAccount, type TestGateway } from '../testkit/test-gateway.js';
import { createEventHub } from './create-event-hub.js';
import { jetStreamEventLogs } from './event-logs.adapter.js';
import { EventIds, type LogEnds } from './log-positions.js';

/** The secret of every test gateway. */
const SECRET = 'a secret for specs, of enough characters';
const WAIT = { timeout: 10_000, interval: 10 };
const account = (id: number, username: string, access: AccessLevel, catalogs: VisibleCatalogs = 'all'): TestAccount => ({
  id,
  username,
  access,
  token: `${username}-token`,
  catalogs,
});
/** Everybody; `half` sees the first catalog only, `shy` keeps to itself what it does. */
const people = {
  admin: account(1, 'admin', 100),
  ada: account(2, 'ada', 25),
  half: account(3, 'half', 25, [1]),
  shy: account(4, 'shy', 25),
  manager: account(5, 'manager', 75),
  halfmanager: account(6, 'halfmanager', 75, [1]),
  guest: account(7, 'guest', 5),
  nothing: account(8, 'nothing', 25, []),
} as const;
type Person = keyof typeof people;
const everybody = Object.keys(people) as readonly Person[];
/** What may be changed about accounts while gateways run. */
const world = { changed: new Map<number, Partial<Account>>(), stands: true };

let nats: TestNats;
let connection: NatsConnection;
let store: JetStreamEventStore;
let model: TestReadModel;
const gateways: TestGateway[] = [];
const listeners: EventListenerClient[] = [];

const auth = (): Auth => {
  const fixed = fixedAuth(Object.values(people));
  return {
    ...fixed,
    standingOf: async () => async () => world.stands,
    account: async (id) => {
      const known = await fixed.account(id);
      return known && { ...known, ...world.changed.get(id) };
    },
  };
};
const startGateway = async (settings: Parameters<typeof startTestGateway>[1] = {}): Promise<TestGateway> => {
  const own = auth();
  const log = pino({ level: 'silent' });
  const preferences = new Preferences({ source: readModelPreferences(model.read), log, now: () => TEST_NOW_MS });
  const plain = await startTestGateway(model.read, { auth: own, preferences, ...settings });
  const { config } = plain.services;
  const metrics = createMetrics('gateway');
  await plain.stop();
  const tools = { logs: jetStreamEventLogs(connection), eventStore: store };
  const events = createEventHub({ auth: own, preferences, db: model.read, log, config, metrics }, tools);
  const gateway = await startTestGateway(model.read, { auth: own, preferences, events, metrics, ...settings });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  gateways.push(gateway);
  return gateway;
};
const urlOf = ({ app }: TestGateway, query = ''): string => `${app.listeningOrigin}/events${query}`;
const listen = async (
  gateway: TestGateway,
  who: Person,
  query = '',
  headers: Record<string, string> = {},
): Promise<EventListenerClient> => {
  const client = await EventListenerClient.open(urlOf(gateway, query), { authorization: `Bearer ${people[who].token}`, ...headers });
  listeners.push(client);
  await vi.waitFor(() => expect(client.heard.length + (client.isOver ? 1 : 0)).toBeGreaterThan(0), WAIT);
  return client;
};
const lastPositions = new Map<string, number>();
const append = async (
  context: AppendPart['context'],
  aggregate: string,
  id: number,
  ...events: readonly DomainEvent[]
): Promise<number> => {
  const key = `${context} ${aggregate} ${id}`;
  const part = { context, aggregate, id, expectedPosition: lastPositions.get(key) ?? 0, events };
  const { position } = await store.append([part], { actor: 'user:2', correlationId: 'c', causationId: 'c', at: Date.now() });
  lastPositions.set(key, position);
  return position;
};
const event = (type: string, data: unknown): DomainEvent => ({ type, v: 1, data });
const follow = (userId: number, followedId: number): Promise<number> =>
  append('social', 'follows', userId, event('UserFollowed', { userId, followedId }));
const rated = (userId: number, objectId: number, rating = 3): Promise<number> =>
  append('social', 'annotations', userId, event('ObjectRated', { userId, kind: 'song', objectId, rating }));
const objectsOf = ({ events }: EventListenerClient): string[] => events.map(({ object }) => `${object.type} ${object.id}`);

beforeAll(async () => {
  [nats, model] = await Promise.all([testNats(), testReadModel()]);
  connection = await connect({ servers: nats.url });
  const manager = await jetstreamManager(connection);
  await ensureEventStreams(manager, toldContexts, 1);
  store = new JetStreamEventStore(connection, manager);
  const song = (title: string, catalogId: number) => ({
    title,
    album: title,
    artists: [title],
    folder: title,
    fileName: `${title}.flac`,
    catalogId,
  });
  await seedFixtureLibrary(model.write, [song('Open', 1), song('Hidden', 2)]);
  await seedTestAccounts(model.write);
  const privacy = builtInPreferences.filter(({ name }) => name.startsWith('allow_personal_info_'));
  await model.write
    .insertInto('social.user_preference')
    .values(privacy.map(({ id }) => ({ user_id: people.shy.id, preference_id: id, value: '0' })))
    .execute();
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.close();
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
  world.changed.clear();
  world.stands = true;
});
afterAll(async () => {
  await connection.close();
  await model.close();
  await nats.stop();
});

const terms = { name: 'list', comment: '', isPublic: false, collaboratorIds: [people.half.id] };
const share = { kind: 'song', objectIds: [1], description: 'secret', secretSha256: 'secret', sealedSecret: 'v1.secret', expiresAtMs: null };
const bookmark = {
  userId: 2,
  objectType: 'song',
  isApart: true,
  labelDigest: 'secret',
  sealedLabel: 'v1.secret',
  positionMs: 5,
  createdAtMs: 1,
  changedAtMs: 1,
};
const counts = { foldersSeen: 1, filesSeen: 1, songsAdded: 1, songsChanged: 0, songsMoved: 0, songsRemoved: 0, filesSkipped: 0 };
const all = everybody;
const seesTwo = all.filter((who) => people[who].catalogs === 'all');
const seesOne = all.filter((who) => who !== 'nothing');

/** Who is told of what: each row one event of the log, and those who hear of it, with the type that they hear. */
const matrix: readonly [
  what: string,
  [AppendPart['context'], string, number, DomainEvent],
  told: Partial<Record<PublicEvent['type'], readonly Person[]>>,
][] = [
  [
    'a play',
    ['playback', 'plays', 2, event('SongPlayed', { userId: 2, songId: 1, playedAtMs: 1, client: 'c' })],
    { 'play.recorded': seesOne },
  ],
  [
    'a play of a hidden song',
    ['playback', 'plays', 2, event('SongPlayed', { userId: 2, songId: 2, playedAtMs: 2, client: 'c' })],
    { 'play.recorded': seesTwo },
  ],
  [
    'a play by somebody private',
    ['playback', 'plays', 4, event('SongPlayed', { userId: 4, songId: 1, playedAtMs: 1, client: 'c' })],
    { 'play.recorded': ['shy'] },
  ],
  [
    'one’s own play of a song that is hidden from one',
    ['playback', 'plays', 3, event('SongPlayed', { userId: 3, songId: 2, playedAtMs: 1, client: 'c' })],
    { 'play.recorded': seesTwo },
  ],
  [
    'a skip',
    ['playback', 'plays', 2, event('SongSkipped', { userId: 2, songId: 1, playedAtMs: 1, client: 'c', skippedAtMs: 2 })],
    { 'play.skipped': ['ada'] },
  ],
  [
    'a bookmark',
    ['playback', 'bookmark', 71, event('BookmarkPlaced', { ...bookmark, bookmarkId: 71, objectId: 1 })],
    { 'bookmark.set': ['ada'] },
  ],
  [
    'a bookmark that goes',
    ['playback', 'bookmark', 72, event('BookmarkRemoved', { bookmarkId: 72, userId: 2, objectType: 'song', objectId: 1 })],
    { 'bookmark.removed': ['ada'] },
  ],
  [
    'one’s own bookmark in a song that is hidden from one',
    ['playback', 'bookmark', 73, event('BookmarkPlaced', { ...bookmark, bookmarkId: 73, userId: 3, objectId: 2 })],
    {},
  ],
  [
    'a play queue',
    ['playback', 'play-queue', 2, event('PlayQueueMoved', { userId: 2, currentIndex: 1, positionMs: 5, client: 'secret', savedAtMs: 1 })],
    { 'queue.changed': ['ada'] },
  ],
  [
    'what somebody private plays now',
    [
      'playback',
      'plays',
      4,
      event('PlaybackStarted', { userId: 4, client: 'c', objectType: 'song', objectId: 1, startedAtMs: 1, playingUntilMs: 2 }),
    ],
    { 'playback.started': ['shy'] },
  ],
  [
    'what somebody plays now',
    [
      'playback',
      'plays',
      2,
      event('PlaybackStarted', { userId: 2, client: 'c', objectType: 'song', objectId: 1, startedAtMs: 1, playingUntilMs: 2 }),
    ],
    { 'playback.started': seesOne },
  ],
  [
    'a rating',
    ['social', 'annotations', 2, event('ObjectRated', { userId: 2, kind: 'album', objectId: 1, rating: 5 })],
    { 'rating.set': seesOne },
  ],
  [
    'a rating of something hidden',
    ['social', 'annotations', 2, event('ObjectRated', { userId: 2, kind: 'album', objectId: 2, rating: 5 })],
    { 'rating.set': seesTwo },
  ],
  [
    'a favourite artist of a hidden catalog',
    ['social', 'annotations', 2, event('ObjectFlagged', { userId: 2, kind: 'artist', objectId: 2, flaggedAtMs: 1 })],
    { 'favourite.added': seesTwo },
  ],
  [
    'a favourite of somebody private',
    ['social', 'annotations', 4, event('ObjectFlagged', { userId: 4, kind: 'song', objectId: 1, flaggedAtMs: 1 })],
    { 'favourite.added': ['shy'] },
  ],
  ['a private follower', ['social', 'follows', 4, event('UserFollowed', { userId: 4, followedId: 2 })], { 'follow.added': ['ada', 'shy'] }],
  [
    'a shout about something hidden',
    ['identity', 'shouts', 4, event('ShoutMade', { userId: 4, number: 1, kind: 'song', objectId: 2, sealedText: 'v1.secret' })],
    { 'shout.made': seesTwo },
  ],
  [
    'a share',
    [
      'social',
      'share',
      1,
      event('ShareCreated', { shareId: 1, userId: 2, allowStream: true, allowDownload: false, maxVisits: 0, createdAtMs: 1, ...share }),
    ],
    { 'share.made': ['admin', 'ada'] },
  ],
  [
    'a visit to a share',
    ['social', 'share', 1, event('ShareVisited', { shareId: 1, visitedAtMs: 1 })],
    { 'share.visited': ['admin', 'ada'] },
  ],
  ['the end of a share', ['social', 'share', 1, event('ShareDeleted', { shareId: 1 })], { 'share.deleted': ['admin', 'ada'] }],
  [
    'a private list with a collaborator',
    ['library', 'playlist', 1, event('PlaylistCreated', { playlistId: 1, ownerId: 2, ...terms })],
    { 'playlist.made': ['admin', 'ada', 'half'] },
  ],
  [
    'what is in a private list',
    ['library', 'playlist', 1, event('PlaylistMembersAdded', { playlistId: 1, kind: 'song', firstEntry: 1, objectIds: [2] })],
    { 'playlist.members_changed': ['admin', 'ada', 'half'] },
  ],
  [
    'a list that becomes public',
    ['library', 'playlist', 1, event('PlaylistChanged', { playlistId: 1, isPublic: true })],
    { 'playlist.changed': all },
  ],
  ['the end of a public list', ['library', 'playlist', 1, event('PlaylistDeleted', { playlistId: 1 })], { 'playlist.deleted': all }],
  [
    'a private smartlist',
    ['library', 'smartlist', 1, event('SmartlistCreated', { smartlistId: 1, ownerId: 2, ...terms })],
    { 'smartlist.made': ['admin', 'ada', 'half'] },
  ],
  [
    'a rating of a private smartlist',
    ['social', 'annotations', 2, event('ObjectRated', { userId: 2, kind: 'search', objectId: 1, rating: 5 })],
    { 'rating.set': ['admin', 'ada', 'half'] },
  ],
  [
    'a public collection',
    ['library', 'collection', 1, event('CollectionCreated', { collectionId: 1, ownerId: 2, ...terms, isPublic: true })],
    { 'collection.made': all },
  ],
  [
    'what is in it',
    ['library', 'collection', 1, event('CollectionMemberAdded', { collectionId: 1, entry: 1, kind: 'song', objectId: 2 })],
    { 'collection.members_changed': all },
  ],
  [
    'songs',
    ['library', 'folder', 1, event('TracksRemoved', { folderId: 1, catalogId: 1, songs: [{ songId: 9, fileName: 'secret' }] })],
    { 'library.songs_removed': seesOne },
  ],
  [
    'songs of a hidden catalog',
    ['library', 'folder', 2, event('TracksRemoved', { folderId: 2, catalogId: 2, songs: [{ songId: 8, fileName: 'secret' }] })],
    { 'library.songs_removed': seesTwo },
  ],
  ['a catalog', ['library', 'catalog', 2, event('CatalogRemoved', { catalogId: 2, path: '/secret' })], { 'catalog.removed': seesTwo }],
  [
    'a scan',
    ['ingest', 'scan', 1, event('ScanProgressed', { scanId: 's', catalogId: 1, counts })],
    { 'scan.progressed': ['admin', 'manager', 'halfmanager'] },
  ],
  [
    'a scan of a hidden catalog',
    ['ingest', 'scan', 2, event('ScanFailed', { scanId: 't', catalogId: 2, counts, message: 'secret' })],
    { 'scan.failed': ['admin', 'manager'] },
  ],
  [
    'an account',
    ['identity', 'user', 9, event('UserRegistered', { userId: 9, sealedProfile: 'v1.secret', access: 25, fullNamePublic: false })],
    { 'user.made': ['admin'] },
  ],
  ['an account that is disabled', ['identity', 'user', 9, event('UserDisabled', { userId: 9 })], { 'user.disabled': ['admin'] }],
  [
    'a key',
    [
      'identity',
      'user',
      9,
      event('ApiKeyIssued', { userId: 9, keyId: 'k', name: 'secret', sha256: 'secret', sealedKey: 'v1.secret', issuedAtMs: 1 }),
    ],
    {},
  ],
  ['a message of the chat', ['identity', 'chat', 1, event('ChatMessageSent', { userId: 2, sealedText: 'v1.secret' })], {}],
];

describe('who is told of what', () => {
  it('is what they may see, on every gateway', async () => {
    const both = [await startGateway(), await startGateway()];
    const clients = new Map(
      await Promise.all(everybody.map(async (who, index) => [who, await listen(both[index % 2] as TestGateway, who)] as const)),
    );
    for (const [, [context, aggregate, id, one]] of matrix) await append(context, aggregate, id, one);
    // Whatever is to come has come when the last of each log has.
    await follow(2, 90);
    await Promise.all([...clients.values()].map((client) => vi.waitFor(() => expect(client.lastEventId).not.toBe(''), WAIT)));
    await vi.waitFor(() => expect(clients.get('ada')?.events.some(({ object }) => object.id === '90')).toBe(true), WAIT);
    await delay(300);
    const heard = (type: PublicEvent['type'], nth: number): Person[] =>
      everybody.filter((who) => clients.get(who)?.events.some((one) => one.type === type && one.id === ids[nth]));
    const ids = await idsOf();
    for (const [index, [what, , told]] of matrix.entries()) {
      const wanted = Object.entries(told).map(([type, who]) => [type, who.toSorted((a, b) => all.indexOf(a) - all.indexOf(b))]);
      const got = allPublicEventTypes.map((type) => [type, heard(type, index)] as const).filter(([, who]) => who.length > 0);
      expect([what, got]).toEqual([what, wanted]);
    }
    for (const client of clients.values()) expect(JSON.stringify(client.heard)).not.toContain('secret');
  });

  /** Public ids of the events of the table, found again in the logs by their places. */
  const idsOf = async (): Promise<string[]> => {
    const seen = new Map<string, number>();
    return Promise.all(
      matrix.map(async ([, [context, aggregate, id]]) => {
        const key = `${context} ${aggregate} ${id}`;
        const nth = seen.get(key) ?? 0;
        seen.set(key, nth + 1);
        const recorded = await store.read(context, aggregate, id);
        return publicEventIds(SECRET)(`${eventStreams[context]} ${recorded[nth]?.position} 0`);
      }),
    );
  };

  it('is judged with accounts and groups as they are now', async () => {
    const gateway = await startGateway();
    const ada = await listen(gateway, 'ada', '?types=rating.set');
    const admin = await listen(gateway, 'admin', '?types=rating.set');
    await rated(2, 2);
    await vi.waitFor(() => expect(objectsOf(ada)).toEqual(['song 2']), WAIT);
    world.changed.set(2, { catalogs: [1] });
    await rated(2, 2);
    await rated(2, 1);
    await vi.waitFor(() => expect(objectsOf(ada)).toEqual(['song 2', 'song 1']), WAIT);
    world.changed.set(2, { disabled: true });
    await rated(1, 1);
    await vi.waitFor(() => expect(admin.events).toHaveLength(4), WAIT);
    world.changed.clear();
    await rated(1, 1, 4);
    await vi.waitFor(() => expect(ada.events.at(-1)?.data).toEqual({ rating: 4 }), WAIT);
    expect(ada.events).toHaveLength(3);
  });
});

describe('the stream', () => {
  it('has the heads that browsers and proxies need, and says that it is ready', async () => {
    const ada = await listen(await startGateway(), 'ada');
    expect(ada.status).toBe(200);
    expect(Object.fromEntries(ada.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(ada.heard).toMatchObject([{ name: 'ready' }]);
    expect(ada.lastEventId).toMatch(/^v1\.[\w.-]{100,200}$/);
  });

  it('is refused without a credential, and for types that there are not', async () => {
    const gateway = await startGateway();
    const get = (query = '', headers: Record<string, string> = {}) => EventListenerClient.open(urlOf(gateway, query), headers);
    expect((await get()).status).toBe(401);
    expect((await get('', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await get('?u=ada&p=wrong')).status).toBe(401);
    expect((await get('?auth=ada-token&types=nothing.*')).status).toBe(400);
    for (const query of ['?auth=ada-token', '?auth=ada-token&types=play.*,rating.set']) {
      const client = await get(query);
      listeners.push(client);
      expect(client.status).toBe(200);
    }
  });

  it('tells only what was asked for', async () => {
    const gateway = await startGateway();
    const some = await listen(gateway, 'ada', '?types=follow.*');
    await rated(2, 1);
    await follow(2, 91);
    await vi.waitFor(() => expect(some.events.map(({ type }) => type)).toEqual(['follow.added']), WAIT);
  });

  it('gives signs of life that say how far it is', async () => {
    const gateway = await startGateway({ settings: { EVENT_STREAM_HEARTBEAT_MS: 60 } });
    const ada = await listen(gateway, 'ada', '?types=user.*');
    const before = ada.lastEventId;
    await rated(2, 1);
    await vi.waitFor(() => expect(ada.lastEventId).not.toBe(before), WAIT);
    expect(ada.comments).toBeGreaterThan(0);
    expect(ada.events).toEqual([]);
  });

  it('ends at once when what let somebody in does not hold any more', async () => {
    const gateway = await startGateway();
    const ada = await listen(gateway, 'ada');
    world.stands = false;
    await vi.waitFor(() => expect(ada.isOver).toBe(true), { timeout: 1000, interval: 10 });
    expect(ada.heard.at(-1)).toMatchObject({ name: 'end', data: { reason: 'you are not logged in any more' } });
    await vi.waitFor(() => expect(gateway.services.events.size).toBe(0), WAIT);
  });

  it('is limited for each account and for all, and a place is free again when somebody leaves', async () => {
    const gateway = await startGateway({ settings: { EVENT_STREAMS: 3, EVENT_STREAMS_PER_USER: 2 } });
    const [first] = [await listen(gateway, 'ada'), await listen(gateway, 'ada')];
    const third = await listen(gateway, 'ada');
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await listen(gateway, 'half')).status).toBe(200);
    expect((await listen(gateway, 'admin')).status).toBe(429);
    first.close();
    await vi.waitFor(async () => expect((await listen(gateway, 'ada')).status).toBe(200), WAIT);
  });

  it('drops a client that does not read, and holds up nobody else', async () => {
    const gateway = await startGateway({ settings: { EVENT_STREAM_BUFFER_BYTES: 8192 } });
    const well = await listen(gateway, 'admin', '?types=library.*');
    const slow = await new Promise<Socket>((resolve) => {
      const { port } = new URL(urlOf(gateway));
      const socket = connectTcp({ host: '127.0.0.1', port: Number(port) }, () => resolve(socket));
    });
    slow.pause().write(`GET /events?auth=ada-token HTTP/1.1\r\nHost: x\r\n\r\n`);
    await vi.waitFor(() => expect(gateway.services.events.size).toBe(2), WAIT);
    let sent = 0;
    const songs = Array.from({ length: 900 }, (_, index) => ({ songId: index + 1, fileName: 'x' }));
    while (gateway.services.events.size > 1 && sent < 3000) {
      await append('library', 'folder', 7, event('TracksRemoved', { folderId: 7, catalogId: 1, songs }));
      sent += 1;
    }
    expect(gateway.services.events.size).toBe(1);
    expect(await gateway.services.metrics.registry.metrics()).toMatch(
      /continuo_event_streams\{service="gateway"\} 1\n[^]*continuo_event_streams_closed_total\{reason="slow",service="gateway"\} 1\n/,
    );
    await vi.waitFor(() => expect(well.events).toHaveLength(sent), { timeout: 30_000, interval: 50 });
    slow.destroy();
  });
});

describe('coming back', () => {
  it('is told what was missed, once and in order, by whichever gateway', async () => {
    const [left, right] = [await startGateway(), await startGateway()];
    const before = await listen(left, 'half', '?types=rating.set,follow.added');
    await rated(2, 1);
    await vi.waitFor(() => expect(before.events).toHaveLength(1), WAIT);
    before.close();
    await rated(2, 1, 1);
    await rated(2, 2, 2);
    await follow(3, 92);
    await rated(2, 1, 4);
    const after = await listen(right, 'half', '?types=rating.set,follow.added', { 'last-event-id': before.lastEventId });
    await rated(2, 1, 5);
    await vi.waitFor(() => expect(after.events).toHaveLength(4), WAIT);
    expect(after.heard[0]).toMatchObject({ name: 'ready' });
    expect(after.events.map(({ type, data }) => data['rating'] ?? type)).toEqual([1, 'follow.added', 4, 5]);
    after.close();
    const again = await listen(left, 'half', `?types=rating.set&last_event_id=${after.heard[2]?.id}`);
    await vi.waitFor(() => expect(again.events.map(({ data }) => data['rating'])).toEqual([4, 5]), WAIT);
  });

  it('loses and doubles nothing while much is going on', async () => {
    const [left, right] = [await startGateway(), await startGateway()];
    const heard: string[] = [];
    const progress = { written: 0 };
    const writing = (async () => {
      for (; progress.written < 150; progress.written += 1) await follow(2, 10_000 + progress.written);
    })();
    let client = await listen(left, 'ada', '?types=follow.added');
    let gateway = right;
    while (progress.written < 150) {
      await delay(40);
      client.close();
      await vi.waitFor(() => expect(client.isOver).toBe(true), WAIT);
      heard.push(...objectsOf(client));
      client = await listen(gateway, 'ada', '?types=follow.added', { 'last-event-id': client.lastEventId });
      gateway = gateway === left ? right : left;
    }
    await writing;
    await vi.waitFor(() => expect([...heard, ...objectsOf(client)].at(-1)).toBe('user 10149'), WAIT);
    heard.push(...objectsOf(client));
    // What was written before anybody listened is nobody's loss.
    const first = Number(heard[0]?.slice('user '.length));
    expect(heard).toEqual(Array.from({ length: 10_150 - first }, (_, index) => `user ${first + index}`));
  });

  it('begins anew, and says so, after too long, with nonsense, and over another log', async () => {
    const gateway = await startGateway({ settings: { EVENT_STREAM_RESUME_EVENTS: 3 } });
    const ada = await listen(gateway, 'ada');
    ada.close();
    // The gateway has read on before the client comes back.
    const witness = await listen(gateway, 'ada');
    for (let n = 0; n < 5; n += 1) await rated(2, 1);
    await vi.waitFor(() => expect(witness.events).toHaveLength(5), WAIT);
    witness.close();
    const reasonFor = async (lastEventId: string): Promise<unknown> => {
      const client = await listen(gateway, 'ada', '', { 'last-event-id': lastEventId });
      expect(client.heard[0]?.name).toBe('reset');
      expect(client.heard[0]?.id).toBe(client.lastEventId);
      client.close();
      return client.heard[0]?.data.reason;
    };
    expect(await reasonFor(ada.lastEventId)).toBe('too-old');
    expect(await reasonFor('nonsense')).toBe('unknown');
    expect(await reasonFor('1.2.3')).toBe('unknown');
    expect(await reasonFor(`${ada.lastEventId.slice(0, -2)}xx`)).toBe('unknown');
    const ids = new EventIds(SECRET);
    const { mark, positions } = ids.read(ada.lastEventId) as LogEnds;
    expect(await reasonFor(ids.of('00000000', positions))).toBe('another-log');
    expect(await reasonFor(ids.of(mark, { ...positions, ingest: 1_000_000 }))).toBe('unknown');
    expect(await reasonFor(new EventIds(`${SECRET}!`).of(mark, positions))).toBe('unknown');
    const anew = await listen(gateway, 'ada', '', { 'last-event-id': 'nonsense' });
    await rated(2, 1);
    await vi.waitFor(() => expect(anew.events).toHaveLength(1), WAIT);
  });

  it('goes on after the server of the logs was gone', async () => {
    const gateway = await startGateway();
    const ada = await listen(gateway, 'ada', '?types=rating.set');
    await rated(2, 1);
    await vi.waitFor(() => expect(ada.events).toHaveLength(1), WAIT);
    await nats.crashAndRestart();
    await vi.waitFor(() => rated(2, 1), { timeout: 20_000, interval: 100 });
    await vi.waitFor(() => expect(ada.events.length).toBeGreaterThan(1), { timeout: 30_000, interval: 50 });
    expect(new Set(ada.events.map(({ id }) => id)).size).toBe(ada.events.length);
  });
});
