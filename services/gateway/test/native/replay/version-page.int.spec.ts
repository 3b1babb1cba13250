import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../servers/read-model-database.js';
import { startTestGateway, testAccounts, type TestGateway } from '../../servers/test-gateway.js';
import { answeringCommands } from './replay-commands.js';
import { seedReplayLibrary } from './replay-library.js';
import { versionPage, type AskVersion } from './version-page.js';
import { clientVersions } from '../../calls/native/client-versions.js';

let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedReplayLibrary(model.write);
  gateway = await startTestGateway(model.read, { settings: { PUBLIC_URL: 'http://server.example' }, commands: answeringCommands() });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const ask: AskVersion = async (version, format, query) => {
  const url = `/server/${format}.server.php?version=${clientVersions[version]}&${query}`;
  return (await gateway.app.inject({ url, headers: { authorization: `Bearer ${testAccounts.admin.token}` } })).body;
};

it('shows what the server answers', async () => {
  const page = fileURLToPath(new URL('../../../../../docs/native-versions.md', import.meta.url));
  await expect(await versionPage(ask, 'The native API, version by version')).toMatchFileSnapshot(page);
});
