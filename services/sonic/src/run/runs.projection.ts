import { projectEach, type Projection } from '@continuo/chassis';
import type { RecordedEvent, SonicRunEvent, SonicRunTable } from '@continuo/contracts';
import type { Kysely } from 'kysely';

interface Tables {
  run: SonicRunTable;
}

const ddl = [
  `create table run (
    id text primary key, model text not null, catalog_id bigint, again boolean not null, state text not null, parts int not null,
    parts_ended int not null default 0, analysed bigint not null default 0, reused bigint not null default 0, known bigint not null default 0,
    failed bigint not null default 0, requested_at_ms bigint not null, ended_at_ms bigint)`,
  'create index run_by_time on run (requested_at_ms desc, id)',
  `create index run_open on run (id) where state = 'running'`,
];

const none = { parts_ended: 0, analysed: 0, reused: 0, known: 0, failed: 0, ended_at_ms: null };

const ended = (state: 'finished' | 'cancelled') => (event: RecordedEvent<SonicRunEvent>, db: Kysely<Tables>) => [
  db.updateTable('run').set({ state, ended_at_ms: event.at }).where('id', '=', event.data.runId),
];

/** Keeps `sonic.run`: runs of the analysis, and how far they are. */
export const runsProjection: Projection<Tables> = {
  name: 'sonic-runs',
  version: 1,
  context: 'sonic',
  publishedSchema: 'sonic',
  publishes: ['run'],
  ddl,
  ...projectEach<SonicRunEvent, Tables>({
    SonicRunRequested: ({ data: { runId, model, catalogId, again, parts }, at }, db) => [
      db
        .insertInto('run')
        .values({ id: runId, model, catalog_id: catalogId ?? null, again, state: 'running', parts, requested_at_ms: at, ...none }),
    ],
    SonicPartEnded: ({ data: { runId, counts } }, db) => [
      db
        .updateTable('run')
        .set((eb) => ({
          parts_ended: eb('parts_ended', '+', 1),
          analysed: eb('analysed', '+', counts.analysed),
          reused: eb('reused', '+', counts.reused),
          known: eb('known', '+', counts.known),
          failed: eb('failed', '+', counts.failed),
        }))
        .where('id', '=', runId),
    ],
    SonicRunFinished: ended('finished'),
    SonicRunCancelled: ended('cancelled'),
  }),
};
