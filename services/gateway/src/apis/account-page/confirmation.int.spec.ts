import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { confirmEmail, Rejection } from '@continuo/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, startTestGateway, type TestGateway } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let gateway: TestGateway;
const tokens: string[] = [];

beforeAll(async () => {
  model = await testReadModel();
  const commands = new InMemoryCommandClient().handle(confirmEmail, async ({ data: { token } }) => {
    tokens.push(token);
    if (token !== 'good') throw new Rejection('input.invalid', undefined, 'token');
    return { result: { awaiting: 'approval' as const }, positions: [] };
  });
  let tries = 0;
  const limitUnauthenticated = async (): Promise<void> => {
    tries += 1;
    if (tries > 3) throw new Rejection('auth.throttled', 'Too many tries');
  };
  gateway = await startTestGateway(model.read, { commands, auth: { ...fixedAuth(), limitUnauthenticated } });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const post = (payload: string) =>
  gateway.app.inject({ method: 'POST', url: '/register.php', payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } });

it('confirms nothing by being looked at, and lets no text of the address become markup', async () => {
  const answer = await gateway.app.inject({ url: `/register.php?auth=${encodeURIComponent('"><script>alert(1)</script>')}` });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).not.toContain('<script>');
  expect(answer.body).toContain('value="&quot;&gt;&lt;script');
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(answer.headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(tokens).toEqual([]);
});

it('confirms when the form is sent, as often as a stranger may try', async () => {
  expect(await post('auth=+good+')).toMatchObject({ statusCode: 200, body: expect.stringContaining('An administrator has to enable') });
  for (const bad of ['auth=bad', '']) {
    expect(await post(bad)).toMatchObject({ statusCode: 400, body: expect.stringContaining('unknown, used or too old') });
  }
  expect((await post('auth=good')).statusCode).toBe(429);
  expect(tokens).toEqual(['good', 'bad', '']);
});
