import {
  currentGeneration,
  enterSchema,
  migrate,
  prepareChassisTables,
  type Projection,
  type ServiceDefinition,
  type ServiceDependencies,
} from '@continuo/chassis';
import type { RecordedEvent } from '@continuo/contracts';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { playbackService } from '@continuo/playback';
import { socialService } from '@continuo/social';
import { sonicService } from '@continuo/sonic';
import { transcodingService } from '@continuo/transcoding';
import { sql, type Kysely } from 'kysely';
import { pino } from 'pino';

/** A projection whose tables stand in the database, and the schema that they stand in. */
export interface InstalledProjection {
  readonly projection: Projection;
  readonly schema: string;
}

const services = [
  libraryService,
  playbackService,
  socialService,
  ingestionService,
  transcodingService,
  sonicService,
] as unknown as readonly ServiceDefinition[];

/** Dependencies for the services' lists of projections. Nothing is connected: tables need neither messages nor keys. */
const idle = (db: Kysely<unknown>): ServiceDependencies =>
  ({
    config: { CONTINUO_SECRET: 'no secret is kept in a test database', NATS_REPLICAS: 1 },
    log: pino({ level: 'silent' }),
    db,
    now: () => 0,
  }) as unknown as ServiceDependencies;

/** Epoch that the generations are made under; there is no stream that could have another. */
const EPOCH = 'read-model';

/**
 * Triggers find the tables of their projection although whoever writes through the published views is not in its schema. The projections' runner is,
 * so this changes nothing for them.
 */
const pinTriggers = async (db: Kysely<unknown>, schema: string): Promise<void> => {
  const found = await sql<{ name: string }>`
    select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = ${schema}`.execute(
    db,
  );
  for (const { name } of found.rows) await sql`alter function ${sql.raw(name)} set search_path to ${sql.id(schema)}, public`.execute(db);
};

const install = async (db: Kysely<unknown>, projection: Projection): Promise<InstalledProjection> => {
  const generation = await currentGeneration(db, projection, EPOCH);
  if (!generation) throw new Error(`the tables of ${projection.name} are those of a newer version`);
  await pinTriggers(db, generation.physicalSchema);
  return { projection, schema: generation.physicalSchema };
};

/**
 * Creates what all services publish, in an empty database: their own statements, in their own private schemas, under the same views as on a running
 * server. The tables can be written through the views, too.
 */
export const createReadModel = async (db: Kysely<unknown>): Promise<readonly InstalledProjection[]> => {
  await prepareChassisTables(db);
  const installed: InstalledProjection[] = [];
  for (const service of services) {
    if (service.schema !== undefined) await migrate(db, service.schema, service.migrations ?? []);
    for (const projection of service.projections?.(idle(db)) ?? []) installed.push(await install(db, projection));
  }
  return installed;
};

/** Runs a projection over events as its runner would: one transaction, in the projection's own schema. */
export const projectInto = (
  db: Kysely<unknown>,
  { projection, schema }: InstalledProjection,
  events: readonly RecordedEvent[],
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await enterSchema(tx, { physicalSchema: schema });
    for (const query of projection.project(events, tx)) await tx.executeQuery(query.compile());
  });
