import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';
import { MAX_ADDRESS_BYTES, MAX_HEADER_SECTION_BYTES } from './header-limits.js';

let model: TestReadModel;
let gateway: TestGateway;
let base: string;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read);
  base = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const get = async (path: string): Promise<{ status: number; type: string; body: string }> => {
  const answer = await fetch(`${base}${path}`);
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', body: await answer.text() };
};
/** An address of this many bytes. */
const padded = (address: string, length: number): string => `${address}&x=`.padEnd(length, 'x');
const { token } = testAccounts.admin;
const native = `/server/json.server.php?action=songs&auth=${token}&filter=second`;
const compat = '/rest/getOpenSubsonicExtensions.view?v=1.16.1&c=spec&f=json';

describe('an address', () => {
  it.each([native, compat])('may have 64 KiB: %s', async (address) => {
    const { status, body } = await get(padded(address, MAX_ADDRESS_BYTES));
    expect([status, /"song":|"status":"ok"/.test(body)]).toEqual([200, true]);
  });

  it.each([MAX_ADDRESS_BYTES + 1, 200_000])('of %i bytes is refused in the form of what was asked', async (length) => {
    const said = await get(padded(native, length));
    expect([said.status, said.type]).toEqual([200, expect.stringContaining('application/json')]);
    expect(JSON.parse(said.body)).toMatchObject({ error: { errorMessage: expect.stringContaining('longer than 65536 bytes') } });
    const { 'subsonic-response': answer } = JSON.parse((await get(padded(compat, length))).body);
    expect(answer).toMatchObject({ status: 'failed', error: { code: 0, message: expect.stringContaining('longer than 65536 bytes') } });
    const xml = await get(padded(compat.replace('&f=json', ''), length));
    expect([xml.status, xml.type, xml.body]).toEqual([
      200,
      expect.stringContaining('text/xml'),
      expect.stringContaining('status="failed"'),
    ]);
  });

  it('beyond what is read at all is told why it is refused', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () =>
        socket.write(`GET ${padded(compat, MAX_HEADER_SECTION_BYTES + 1000)} HTTP/1.1\r\nHost: a\r\n\r\n`),
      );
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('end', () => socket.destroy());
      socket.on('close', () => resolve(answer));
      socket.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || error.code === 'EPIPE' || reject(error));
    });
    expect(text).toMatch(/^HTTP\/1\.1 431 [^]*can be sent in the body of a POST/);
  });
});
