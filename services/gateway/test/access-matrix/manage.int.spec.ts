import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationRow } from '../../src/apis/manage/operation.js';
import { operations } from '../../src/apis/manage/registry/index.js';
import { filledPath } from '../manage/example-input.js';
import { exampleCommands, seedManaged } from '../manage/manage-world.fixture.js';
import { testReadModel, type TestReadModel } from '../servers/read-model-database.js';
import { startTestGateway, type TestGateway } from '../servers/test-gateway.js';
import { callerNames, callers, matrixAuth, type CallerName } from './callers.fixture.js';

/* Every operation of the management API called by everybody, with a field that none takes, so that whoever is let in changes nothing. */

let model: TestReadModel;
let gateway: TestGateway;
beforeAll(async () => {
  model = await testReadModel();
  await seedManaged(model.write);
  gateway = await startTestGateway(model.read, { auth: matrixAuth(), commands: exampleCommands });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const statusOf = async (row: OperationRow<never>, name: CallerName): Promise<number> => {
  const { key, address } = callers[name];
  const { statusCode } = await gateway.app.inject({
    method: row.method,
    url: `/manage/v1${filledPath(row)}?aFieldThatIsNotThere=1`,
    headers: { authorization: `Bearer ${key}` },
    remoteAddress: address,
  });
  return statusCode;
};

const expected = (row: OperationRow<never>, name: CallerName): number => {
  if (name === 'disabled') return 401;
  return name === 'elsewhere' || callers[name].access < row.level ? 403 : 400;
};

describe('the management API', () => {
  it.each(Object.entries(operations).map(([name, row]) => ({ name, row: row as OperationRow<never> })))('$name', async ({ row }) => {
    const statuses = await Promise.all(callerNames.map(async (name) => [name, await statusOf(row, name)]));
    expect(statuses).toEqual(callerNames.map((name) => [name, expected(row, name)]));
  });
});
