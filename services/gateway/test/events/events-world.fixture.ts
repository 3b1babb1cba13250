import { createMetrics, ensureEventStreams, JetStreamEventStore, type AppendPart } from '@continuo/chassis';
import { builtInPreferences, type AccessLevel, type DomainEvent } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { vi } from 'vitest';
import { notifiedContexts } from '@continuo/public-events';
import type { Account, Auth } from '../../src/auth/index.js';
import { Preferences, readModelPreferences } from '../../src/preferences/index.js';
import type { VisibleCatalogs } from '../../src/reads/visibility/viewer.js';
import { EventListenerClient } from '../servers/event-listener.js';
import { seedFixtureLibrary } from '../library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, TEST_NOW_MS, type TestAccount, type TestGateway } from '../servers/test-gateway.js';
import { createEventHub } from '../../src/apis/events/create-event-hub.js';
import { jetStreamEventLogs } from '../../src/apis/events/event-logs.adapter.js';

/** The secret of every test gateway. */
export const SECRET = 'a secret for specs, of enough characters';
/** Timeout of waits. */
export const WAIT = { timeout: 30_000, interval: 10 };

const account = (id: number, username: string, access: AccessLevel, catalogs: VisibleCatalogs = 'all'): TestAccount => ({
  id,
  username,
  access,
  token: `${username}-token`,
  catalogs,
});
/** Everybody; `half` sees the first catalog only, `shy` keeps to itself what it does, `keyed` is an administrator with a key that only listens. */
export const people = {
  admin: account(1, 'admin', 100),
  ada: account(2, 'ada', 25),
  half: account(3, 'half', 25, [1]),
  shy: account(4, 'shy', 25),
  manager: account(5, 'manager', 75),
  halfmanager: account(6, 'halfmanager', 75, [1]),
  guest: account(7, 'guest', 5),
  nothing: account(8, 'nothing', 25, []),
  keyed: { ...account(10, 'keyed', 100), scopes: ['listen'] },
} as const;
/** One of {@link people}. */
export type Person = keyof typeof people;
/** All of them. */
export const everybody = Object.keys(people) as readonly Person[];

/** An event as it lies in the log. */
export const event = (type: string, data: unknown): DomainEvent => ({ type, v: 1, data });
/** Address of a gateway's event stream. */
export const urlOf = ({ app }: TestGateway, query = ''): string => `${app.listeningOrigin}/events${query}`;
/** Types of the events that a client received. */
export const objectsOf = ({ events }: EventListenerClient): string[] => events.map(({ object }) => `${object.type} ${object.id}`);

/** Real logs, a library of two catalogs, and gateways that tell {@link people} what happens. */
export class EventsWorld {
  /** State of accounts that specs change while gateways run. */
  readonly standing = { changed: new Map<number, Partial<Account>>(), isAuthorized: true };
  /** Closed when a test is over. */
  readonly listeners: EventListenerClient[] = [];
  readonly #gateways: TestGateway[] = [];
  readonly #lastPositions = new Map<string, number>();

  private constructor(
    readonly nats: TestNats,
    private readonly connection: NatsConnection,
    readonly store: JetStreamEventStore,
    private readonly model: TestReadModel,
  ) {}

  static async start(): Promise<EventsWorld> {
    const [nats, model] = await Promise.all([testNats(), testReadModel()]);
    const connection = await connect({ servers: nats.url });
    const manager = await jetstreamManager(connection);
    await ensureEventStreams(manager, notifiedContexts, 1);
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
    return new EventsWorld(nats, connection, new JetStreamEventStore(connection, manager), model);
  }

  /** Ends what a test has started. */
  async quiet(): Promise<void> {
    for (const listener of this.listeners.splice(0)) listener.close();
    await Promise.all(this.#gateways.splice(0).map((gateway) => gateway.stop()));
    this.standing.changed.clear();
    this.standing.isAuthorized = true;
  }

  async stop(): Promise<void> {
    await this.connection.close();
    await this.model.close();
    await this.nats.stop();
  }

  async startGateway(settings: Parameters<typeof startTestGateway>[1] = {}): Promise<TestGateway> {
    const { read } = this.model;
    const own = this.#auth();
    const log = pino({ level: 'silent' });
    const preferences = new Preferences({ source: readModelPreferences(read), log, now: () => TEST_NOW_MS });
    const plain = await startTestGateway(read, { auth: own, preferences, ...settings });
    const { config, secrets, watch } = plain.services;
    const metrics = createMetrics('gateway');
    await plain.stop();
    const tools = { logs: jetStreamEventLogs(this.connection), eventStore: this.store };
    const events = createEventHub({ auth: own, preferences, db: read, log, config, secrets, metrics, watch }, tools);
    const gateway = await startTestGateway(read, { auth: own, preferences, events, metrics, ...settings });
    await gateway.app.listen({ port: 0, host: '127.0.0.1' });
    this.#gateways.push(gateway);
    return gateway;
  }

  /** Somebody who listens, once they have been told something, if only that it begins. */
  async listen(gateway: TestGateway, who: Person, query = '', headers: Record<string, string> = {}): Promise<EventListenerClient> {
    const client = await EventListenerClient.open(urlOf(gateway, query), { authorization: `Bearer ${people[who].token}`, ...headers });
    this.listeners.push(client);
    await vi.waitUntil(() => client.heard.length > 0 || client.isOver, WAIT);
    return client;
  }

  async append(context: AppendPart['context'], aggregate: string, id: number, ...events: readonly DomainEvent[]): Promise<number> {
    const key = `${context} ${aggregate} ${id}`;
    const expectedPosition = this.#lastPositions.get(key) ?? (await this.store.read(context, aggregate, id)).at(-1)?.position ?? 0;
    // What fails may lie in the log all the same: the next one looks.
    this.#lastPositions.delete(key);
    const part = { context, aggregate, id, expectedPosition, events };
    const { position } = await this.store.append([part], { actor: 'user:2', correlationId: 'c', causationId: 'c', at: Date.now() });
    this.#lastPositions.set(key, position);
    return position;
  }

  follow(userId: number, followedId: number): Promise<number> {
    return this.append('social', 'follows', userId, event('UserFollowed', { userId, followedId }));
  }

  rated(userId: number, objectId: number, rating = 3): Promise<number> {
    return this.append('social', 'annotations', userId, event('ObjectRated', { userId, kind: 'song', objectId, rating }));
  }

  #auth(): Auth {
    const fixed = fixedAuth(Object.values(people));
    const { standing } = this;
    return {
      ...fixed,
      authorizationCheckOf: async () => async () => standing.isAuthorized,
      account: async (id) => {
        const known = await fixed.account(id);
        return known && { ...known, ...standing.changed.get(id) };
      },
    };
  }
}
