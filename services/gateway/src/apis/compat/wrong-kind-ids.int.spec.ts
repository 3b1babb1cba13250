import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WholeCompatWorld } from '../../../test/servers/compat-whole-world.js';
import type { Case } from '../../../test/calls/compat/case.js';
import { endpointCases } from '../../../test/calls/compat/endpoint.cases.js';
import { ID_PARAMETERS, namedKinds } from '../../../test/calls/compat/named-kinds.js';
import { idPrefixes, type CompatKind } from './ids.js';
import { operationNames, type OperationName } from './registry/names.js';
import { registry } from './registry/registry.js';

let world: WholeCompatWorld;
beforeAll(async () => {
  world = await WholeCompatWorld.start();
});
afterAll(() => world.stop());

/** Calls in which the parameter counts, where the first successful one of the fixture is not such. */
const calls: Readonly<Partial<Record<OperationName, Case['params']>>> = {
  getTranscodeStream: { mediaType: 'song', transcodeParams: 'x' },
  jukeboxControl: { action: 'add' },
  savePlayQueue: { current: 'so-1' },
  savePlayQueueByIndex: { currentIndex: 0 },
};

const asked = operationNames.flatMap((operation) =>
  ID_PARAMETERS.filter((parameter) => parameter in registry[operation].fields).map((parameter) => ({ operation, parameter })),
);

const caseOf = (operation: OperationName): Case => {
  const { success } = endpointCases[operation];
  const first = typeof success === 'string' ? {} : success[0];
  return { ...first, params: calls[operation] ?? first.params ?? {} };
};

describe('an id of the wrong kind', () => {
  it.each(asked)('is 70 as $parameter of $operation', async ({ operation, parameter }) => {
    const one = caseOf(operation);
    const right = namedKinds(operation, parameter);
    const codes: [string, unknown][] = [];
    for (const kind of (Object.keys(idPrefixes) as CompatKind[]).filter((known) => !right.includes(known))) {
      const params = { f: 'json', ...one.params, [parameter]: `${idPrefixes[kind]}-1` };
      const { body, type } = await world.full.call(operation, params, one.as, one.body);
      codes.push([kind, type.startsWith('application/json') ? JSON.parse(body)['subsonic-response'].error?.code : type]);
    }
    expect(codes).toEqual(codes.map(([kind]) => [kind, 70]));
  });

  it('is 70 among others of a play queue', async () => {
    const params = { f: 'json', id: ['so-4', 'al-1'], current: 'so-4' };
    expect((await world.full.call('savePlayQueue', params)).body).toContain('"code":70');
  });
});
