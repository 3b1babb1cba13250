import { randomUUID } from 'node:crypto';
import {
  checkpointReader,
  NatsProjectionWatch,
  startService,
  type Environment,
  type ServiceDependencies,
  type StartedService,
} from '@continuo/chassis';
import { songId, userId, type CommandDefinition, type ReadModel, type SongDocument, type SongId, type UserId } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { PlaybackConfig } from '../../src/config.js';
import { playbackService } from '../../src/playback.service.js';
import { FakeLastfm } from './fake-lastfm.js';
import { FakeListenBrainz } from './fake-listenbrainz.js';
import { STAND_IN_HOST } from './fake-server.js';

const READABLE_WITHIN_MS = 5000;
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

/** Makes what the relay looks up in the tables of other services. */
export const otherServicesTables = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create schema if not exists library`.execute(db);
  await sql`create table library.song (id integer primary key, doc text not null)`.execute(db);
  await sql`create table library.deleted_song (song_id integer primary key)`.execute(db);
  await sql`create table library.counter (kind text, catalog_id integer, max_id integer)`.execute(db);
  await sql`insert into library.counter values ('song', 0, 1000)`.execute(db);
  await sql`create schema if not exists social`.execute(db);
  await sql`create table social."user" (id integer primary key)`.execute(db);
};

/** A song as the library's tables hold it; what matters here. */
export const songRow = (id: number, title: string, more: Partial<SongDocument> = {}): { id: number; doc: string } => {
  const name = (n: number, text: string) => ({ id: n, name: text, prefix: null, basename: text });
  const doc: Partial<SongDocument> = {
    id,
    title,
    artists: [{ ...name(1, 'Ada & the Engines'), mbid: '11111111-2222-3333-4444-555555555555' }],
    displayArtist: 'Ada feat. Charles',
    album: { ...name(2, 'Notes'), mbid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee' },
    albumArtists: [name(1, 'Ada & the Engines')],
    disk: 1,
    track: 7,
    durationMs: 200_000,
    mbid: '99999999-8888-7777-6666-555555555555',
    isrcs: ['GB-AAA-18-43001'],
    ...more,
  };
  return { id, doc: JSON.stringify(doc) };
};

/** Settings under which a service reaches the stand-ins. */
export const relayEnvironment = (listenBrainz: FakeListenBrainz, lastfm: FakeLastfm): Environment => ({
  CONTINUO_SECRET: 'a secret of at least thirty-two characters',
  LOG_LEVEL: 'error',
  OUTBOUND_ALLOWED_NETWORKS: STAND_IN_HOST,
  LISTENBRAINZ_API_URL: listenBrainz.url,
  LASTFM_API_KEY: lastfm.apiKey,
  LASTFM_API_SECRET: lastfm.secret,
  LASTFM_API_URL: `${lastfm.url}/2.0/`,
  RELAY_FIRST_RETRY_MS: '50',
  RELAY_TIMEOUT_MS: '1000',
  RELAY_ATTEMPTS: '4',
});

/** Replicas of the playback service over real servers, and stand-ins for the services that they tell. For tests. */
export class RunningRelay {
  readonly listenBrainz: FakeListenBrainz;
  readonly lastfm: FakeLastfm;
  #watch: NatsProjectionWatch;
  #nextUser = 100;

  private constructor(
    private readonly nats: TestNats,
    private readonly postgres: TestPostgres,
    readonly replicas: StartedService<PlaybackConfig>[],
    fakes: { readonly listenBrainz: FakeListenBrainz; readonly lastfm: FakeLastfm },
  ) {
    this.listenBrainz = fakes.listenBrainz;
    this.lastfm = fakes.lastfm;
    const { nats: connection, db, log } = this.deps;
    this.#watch = new NatsProjectionWatch(connection, checkpointReader(db), log);
  }

  static async start({
    replicas = 2,
    environment,
    log,
  }: { replicas?: number; environment?: Environment; log?: Logger } = {}): Promise<RunningRelay> {
    const [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
    const listenBrainz = await new FakeListenBrainz().start();
    const lastfm = await new FakeLastfm().start();
    const env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, ...relayEnvironment(listenBrainz, lastfm), ...environment };
    const started = await Promise.all(Array.from({ length: replicas }, () => startService(playbackService, env, log && { log })));
    const relay = new RunningRelay(nats, postgres, started, { listenBrainz, lastfm });
    await otherServicesTables(relay.deps.db);
    return relay;
  }

  async stop(): Promise<void> {
    await this.#watch.stop();
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    this.listenBrainz.stop();
    this.lastfm.stop();
    await Promise.all([this.nats.stop(), this.postgres.stop()]);
  }

  get deps(): ServiceDependencies<PlaybackConfig> {
    const [first] = this.replicas;
    if (!first) throw new Error('nothing runs');
    return first.deps;
  }

  get db(): Kysely<ReadModel> {
    return this.deps.db;
  }

  /** Sends a command and answers when what it did can be read. */
  readonly send = async <S extends z.ZodType, R extends z.ZodType>(
    command: CommandDefinition<S, R>,
    data: z.input<S>,
  ): Promise<z.output<R>> => {
    const outcome = await this.deps.commands.send(command, data, context, { commandId: randomUUID() });
    if (!(await this.#watch.waitFor(outcome.positions, READABLE_WITHIN_MS))) throw new Error(`${command.subject} cannot be read`);
    return outcome.result;
  };

  /** A new account. */
  async account(): Promise<UserId> {
    this.#nextUser += 1;
    await sql`insert into social."user" (id) values (${this.#nextUser})`.execute(this.db);
    return userId.parse(this.#nextUser);
  }

  #nextSong = 1;

  /** A song of the library. */
  async song(title: string, more: Partial<SongDocument> = {}): Promise<SongId> {
    const id = this.#nextSong++;
    const row = songRow(id, title, more);
    await sql`insert into library.song (id, doc) values (${row.id}, ${row.doc})`.execute(this.db);
    return songId.parse(id);
  }
}
