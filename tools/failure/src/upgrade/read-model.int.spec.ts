import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@continuo/chassis';
import { readModelProjections, readModelVersions } from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { createReadModel, type InstalledProjection } from '@continuo/read-model';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../config.js';

/** `<schema>.<view>.<column>` and its type, as releases have published them. */
const PUBLISHED = join(repository, 'contracts', 'golden', 'read-model.json');

let postgres: TestPostgres;
let db: Kysely<unknown>;
let installed: readonly InstalledProjection[];
let columns: Readonly<Record<string, string>>;
let published: Readonly<Record<string, string>>;

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase({ url: postgres.url, poolSize: 3, applicationName: 'spec' });
  installed = await createReadModel(db);
  const { rows } = await sql<{ name: string; type: string }>`
    select c.table_schema || '.' || c.table_name || '.' || c.column_name as name, c.udt_name as type from information_schema.columns c
    join information_schema.views v using (table_schema, table_name)
    where c.table_schema in ('library', 'social', 'playback', 'ingestion', 'transcoding', 'sonic') order by 1`.execute(db);
  columns = Object.fromEntries(rows.map(({ name, type }) => [name, type]));
  published = JSON.parse(await readFile(PUBLISHED, 'utf8')) as Readonly<Record<string, string>>;
}, 120_000);
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

describe('the published read model', () => {
  it('keeps every column that a release has published, in its type: gateways of the release before go on reading', () => {
    const gone = Object.entries(published).filter(([name, type]) => columns[name] !== type);
    expect(gone.map(([name, type]) => `${name} was ${type}, is ${columns[name] ?? 'gone'}`)).toEqual([]);
  });

  it('is written down: add what is new to contracts/golden/read-model.json', () => {
    expect(Object.fromEntries(Object.entries(columns).filter(([name]) => !(name in published)))).toEqual({});
  });

  it('has the versions that gateways of this release wait for: see readModelVersions', () => {
    const names = Object.values(readModelProjections).flat() as string[];
    const versions = installed
      .filter(({ projection }) => names.includes(projection.name))
      .map(({ projection }) => [projection.name, projection.version]);
    expect(Object.fromEntries(versions)).toEqual(readModelVersions);
  });
});
