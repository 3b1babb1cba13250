import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serviceNames } from './cluster.js';
import { engineProblem } from './engine-problem.js';
import { failureJourneys } from './failure.journey.js';
import { install, type Installation } from './installation.js';
import { mediaJourneys } from './media.journey.js';
import { surfaceJourneys } from './surfaces.journey.js';

/** After so many failures the rest would only wait for what does not come. */
const ENOUGH_FAILURES = 3;

const missing = await engineProblem();
if (missing !== undefined) console.warn(`The services are not tested in containers: ${missing}.`);

describe.skipIf(missing !== undefined)('the services in containers of their own', { timeout: 240_000 }, () => {
  let installed: Installation | undefined;
  const installation = (): Installation => {
    if (!installed) throw new Error('nothing was installed');
    return installed;
  };

  beforeAll(async () => {
    installed = await install();
  }, 600_000);
  afterAll(() => installed?.cluster.end(), 120_000);

  let failures = 0;
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failures += 1;
  });
  beforeEach(({ skip }) => {
    skip(failures >= ENOUGH_FAILURES, 'too much has failed before');
  });

  it('run under an account of no rights, over a root that cannot be written', async () => {
    const { cluster } = installation();
    for (const name of serviceNames) expect([name, (await cluster.exec(name, ['id', '-u'])).trim()]).toEqual([name, '10001']);
    const touch = 'touch /app/x 2>/dev/null || touch /x 2>/dev/null && echo written || echo refused';
    expect(await cluster.exec('library', ['sh', '-c', touch])).toContain('refused');
    expect((await cluster.exec('library', ['cat', '/proc/1/comm'])).trim()).toBe('tini');
  });

  surfaceJourneys(installation);
  mediaJourneys(installation);
  failureJourneys(installation);

  it('end by themselves within their grace when they are told to', async () => {
    const { cluster } = installation();
    const ends = await Promise.all(cluster.services.map(async ([name, copy]) => [name, copy, await cluster.stopService(name, copy)]));
    expect(ends.filter(([, , code]) => code !== 0)).toEqual([]);
  });
});
