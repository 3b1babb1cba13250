import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerQuery, ensureEventStreams, ensureJobStreams, ensureReactionStreams, publishDead } from '@continuo/chassis';
import {
  eventStreams,
  jobStreams,
  PLUGINS_SUBJECT,
  pluginsQuery,
  REPLICAS_SUBJECT,
  replicaQuery,
  SERVER_FOLDERS_SUBJECT,
  serverFoldersQuery,
  SETTINGS_SUBJECT,
  settingsQuery,
  songPlayed,
  TRANSCODE_WORKERS_SUBJECT,
  transcodeWorkersQuery,
  type Context,
  type JobContext,
  type QueryDefinition,
} from '@continuo/contracts';
import { searchIndexNames, searchRebuildSubject, searchStatusSubject } from '@continuo/search-index';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { LongWork, WorkRecord } from '../../src/features/operations/long-work.js';
import type { startTestGateway } from '../servers/test-gateway.js';
import { exampleOf } from './example-input.js';
import { exampleCommands, seedManaged } from './manage-world.fixture.js';
import { startOperatedGateway, type OperatedGateway } from './operated-gateway.js';

/** Name of the backup of {@link writeBackup}. */
export const BACKUP = 'continuo-2026-11-23T01-00-00Z';

const subjects: Readonly<Record<WorkRecord['kind'], string>> = {
  'projection-rebuild': 'a',
  'search-index-rebuild': 'meilisearch',
  backup: BACKUP,
  'backup-verification': BACKUP,
  'log-verification': 'EV_LIBRARY',
};

const record = (kind: WorkRecord['kind']): WorkRecord => ({
  id: 'a',
  kind,
  subject: subjects[kind],
  options: { mode: 'replace', acceptLoss: false },
  state: 'failed',
  progress: null,
  startedAtMs: 1,
  endedAtMs: 2,
  aliveAtMs: 2,
  problem: 'the disk is full',
  result: null,
  isEndRecorded: true,
});

/** Knows one piece of work of each kind, which has failed; starts others in name only. */
const exampleLongWork: LongWork = {
  start: async (order) => ({ ...record(order.kind), ...order, state: 'running', problem: null, endedAtMs: null }),
  find: async (kind, id) => (id === 'a' ? record(kind) : undefined),
  list: async (kind) => [record(kind)],
};

/** Writes the smallest backup that is whole into a folder of backups. */
export const writeBackup = async (folder: string): Promise<void> => {
  const file = { path: 'a', sizeBytes: 1, contentBytes: 1, sha256: 'a'.repeat(64) };
  const state = { messages: 1, first_seq: 1, last_seq: 1 };
  const manifest = {
    format: 1,
    id: 'a',
    product: { name: 'continuo', version: '1' },
    startedAt: '2026-11-23T01:00:00.000Z',
    finishedAt: '2026-11-23T01:00:01.000Z',
    secret: { salt: 's', check: 'c' },
    events: {},
    nats: '2.12.0',
    streams: [{ name: 'EV_LIBRARY', config: { name: 'EV_LIBRARY' }, state, snapshot: file, consumers: [] }],
    deletedAccounts: [],
  };
  await mkdir(join(folder, BACKUP));
  await writeFile(join(folder, BACKUP, 'a'), 'a');
  await writeFile(join(folder, BACKUP, 'manifest.json'), JSON.stringify(manifest));
};

/** Answers what services are asked, with an example of the answer. */
const answerAsServices = (nats: NatsConnection): void => {
  const log = pino({ level: 'silent' });
  const answer = (subject: string, query: QueryDefinition<object, unknown>): void => {
    answerQuery({ nats, log, subject, query, answer: () => exampleOf(query.answer) });
  };
  answer(REPLICAS_SUBJECT, replicaQuery);
  answer(SETTINGS_SUBJECT, settingsQuery);
  answer(PLUGINS_SUBJECT, pluginsQuery);
  answer(SERVER_FOLDERS_SUBJECT, serverFoldersQuery);
  answer(TRANSCODE_WORKERS_SUBJECT, transcodeWorkersQuery);
  for (const index of searchIndexNames)
    for (const subject of [searchStatusSubject(index), searchRebuildSubject(index)])
      nats.subscribe(subject, {
        callback: (_error, message) =>
          void message.respond(JSON.stringify({ index, role: 'following', position: 1, keeper: 'a', rebuilds: 1, written: 1 })),
      });
};

const fillStreams = async (nats: NatsConnection): Promise<void> => {
  const manager = await jetstreamManager(nats);
  await ensureEventStreams(manager, Object.keys(eventStreams) as Context[], 1);
  await ensureJobStreams(manager, Object.keys(jobStreams) as JobContext[], 1);
  await ensureReactionStreams(manager, 1);
  const envelope = headers();
  for (const [name, value] of Object.entries({ Type: 'CatalogAdded', At: '1', Actor: 'user:1', Correlation: 'a' }))
    envelope.set(`Continuo-${name}`, value);
  await jetstream(nats).publish('ev.library.00.catalog.1', '{}', { headers: envelope });
  for (const msgID of ['a', 'b']) {
    const death = { reason: 'no such folder', stream: 'JOBS_INGEST', sequence: 1, attempts: 3 };
    await publishDead(jetstream(nats), 'jobs.ingest.scan-catalog', { payload: new Uint8Array(1), headers: headers(), death, msgID });
  }
  const payload = new TextEncoder().encode(JSON.stringify(exampleOf(songPlayed.schema)));
  const death = { reason: 'a title is not allowed', stream: 'REACT', sequence: 1, attempts: 1 };
  await publishDead(jetstream(nats), 'react.playback-relay-listenbrainz', { payload, headers: headers(), death, msgID: 'c' });
};

/**
 * Starts a gateway with one thing at least of each kind that the management API lists. Commands and long work are answered with examples and change nothing; what
 * operations do to Postgres, NATS and the folder of backups themselves is real.
 * @param isWorkReal does long work, most of which fails soon
 */
export const startManagedGateway = async (
  parts: Parameters<typeof startTestGateway>[1] = {},
  isWorkReal = false,
): Promise<OperatedGateway> => {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-managed-'));
  await writeBackup(folder);
  const work = isWorkReal ? {} : { longWork: exampleLongWork };
  const examples = { commands: exampleCommands, ...work, settings: { BACKUP_FOLDER: folder } };
  const server = await startOperatedGateway(() => ({ ...examples, ...parts, settings: { ...examples.settings, ...parts.settings } }));
  await seedManaged(server.db);
  await sql`insert into chassis.projection_checkpoint (name, version, generation, state, stream, epoch, position, physical_schema)
    values ('a', 1, 1, 'live', 'EV_LIBRARY', 'e', 1, 'x')`.execute(server.db);
  await fillStreams(server.nats);
  answerAsServices(server.nats);
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
