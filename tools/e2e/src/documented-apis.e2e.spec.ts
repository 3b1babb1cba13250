import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { someOf } from '@continuo/local-servers/test-form';
import { generateFiles } from '@continuo/media-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from './config.js';
import { administrator, Journey } from './journey.js';

/*
 * schemathesis, which knows nothing of us, reads the documents of the APIs and calls every operation with what they allow and with what they do not.
 */

const { schemathesis = '' } = config;
const SETTINGS = fileURLToPath(new URL('../schemathesis.toml', import.meta.url));
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
const MANY = '1000000000';
/** No request may end in slowing down those that come after it. */
const PATIENT = {
  LOGIN_FAILURES_PER_ACCOUNT: MANY,
  LOGIN_FAILURES_PER_ADDRESS: MANY,
  STRANGER_CALLS_PER_ADDRESS: MANY,
};

it.skipIf(schemathesis !== '')('are NOT called: there is no schemathesis on this machine (SCHEMATHESIS_BIN)', () => undefined);

/** Operations of a document that the short form calls: a third of the largest. */
const FEW_PATHS = 30;

/** The others take five times as long together. */
const documents = someOf(
  [
    ['compat', ''],
    ['manage', '/manage/v1'],
    ['native-8', '/rest/8/json'],
  ] as const,
  1,
);

describe.skipIf(schemathesis === '').each(documents)('the document %s', { timeout: 600_000 }, (name, base) => {
  let journey: Journey;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'continuo-schemathesis-'));
    journey = await Journey.prepare();
    await generateFiles({ out: journey.music, count: 12, formats: ['mp3', 'flac'], seed: 7, flat: false });
    await journey.start(PATIENT);
    await journey.scan();
  });
  afterAll(async () => {
    await journey.end();
    await rm(folder, { recursive: true, force: true });
  });

  it('describes every answer to made-up requests', async () => {
    const { url } = journey.server;
    const { paths } = await journey.json<{ readonly paths: Readonly<Record<string, unknown>> }>(`/openapi/${name}.json`);
    const called = someOf(Object.keys(paths), FEW_PATHS).flatMap((path) => ['--include-path', path]);
    const run = ['--phases', 'coverage', '--checks', CHECKS.join(','), '--seed', '1', '--continue-on-failure'];
    const quiet = ['--warnings', 'off', '--suppress-health-check', 'all', '--no-shrink'];
    const server = ['--url', `${url}${base}`, '--header', `Authorization: Bearer ${administrator.apiKey}`];
    const args = ['--no-color', '--config-file', SETTINGS, 'run', `${url}/openapi/${name}.json`, ...server, ...called, ...run, ...quiet];
    const [code, output] = await new Promise<[number | string, string]>((resolve) => {
      execFile(schemathesis, args, { cwd: folder, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) =>
        resolve([error?.code ?? 0, `${stdout}${stderr}`]),
      );
    });
    expect([code, code === 0 ? '' : output.slice(-4000)]).toEqual([0, '']);
    expect(output).toMatch(/\d+ generated, \d+ passed/);
    // Nothing has locked it out.
    const { status } = await journey.request('/manage/v1/accounts', {}, { headers: { authorization: `Bearer ${administrator.apiKey}` } });
    expect(status).toBe(200);
  });
});
