import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../servers/read-model-database.js';
import { nativeMethods } from '../../api-facts/api-facts.js';
import { everyPlugin } from '../../fakes/external-metadata-fixture.js';
import { startTestGateway, testAccounts, type TestGateway } from '../../servers/test-gateway.js';
import { answeringCommands } from './replay-commands.js';
import { seedReplayLibrary } from './replay-library.js';
import { clientVersions } from '../../calls/native/client-versions.js';

let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedReplayLibrary(model.write);
  gateway = await startTestGateway(model.read, {
    commands: answeringCommands(),
    plugins: everyPlugin,
    settings: { PUBLIC_URL: 'http://server.example', LOCALPLAY_CONTROLLER: 'mpd' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

/** Actions whose `type` is that of another object than the one in the path. */
const TYPE_OF_ANOTHER = /^\/playlist-folders\/\{\w+\}\/items$/;
/** Parameters that make a call repeatable. */
const SETTLED = { limit: '3', filter: 'newest', rating: '3', flag: '1' };
/** The type that `{type}/{id}/{action}` stands for: its first word, for one. A bookmark is named by its own number, which its actions call a type. */
const typeIn = (path: string): Readonly<Record<string, string>> => {
  const [, first = '', second, third] = path.split('/');
  if (first === 'bookmarks' && second !== undefined) return { type: 'bookmark' };
  return third === undefined || TYPE_OF_ANOTHER.test(path) ? {} : { type: first.replaceAll('-', '_').replace(/s$/, '') };
};
/** Names of one operation: the error of one tells the other. */
const sameName = (text: string): string => text.replaceAll(/(?<before>errorAction(?:":"|><!\[CDATA\[))\w+/g, '$<before>action');

const paths = nativeMethods
  .filter(({ binary }) => !binary)
  .flatMap(({ name, versions, paths: all = [] }) =>
    all.flatMap((one) =>
      ([6, 8] as const)
        .filter((version) => versions.includes(version) && version >= (one.since ?? 0))
        .map((version) => ({ ...one, name, version })),
    ),
  );

const headers = { authorization: `Bearer ${testAccounts.admin.token}` };

describe('a REST path answers what its action answers', () => {
  it.each(paths)('$verb $path of $name in version $version', async ({ verb, path, name, version, bind = {}, fixed = {} }) => {
    const bound = Object.fromEntries(Object.keys(bind).map((param) => [param, '1']));
    const filled = path.replaceAll('{path}', '/1').replaceAll(/\{\w+\}/g, '1');
    for (const format of ['json', 'xml'] as const) {
      const query = new URLSearchParams({ ...SETTLED, ...typeIn(path), ...fixed, ...bound });
      // The path says these already.
      const added = new URLSearchParams(Object.entries(SETTLED).filter(([param]) => !(param in bound) && !(param in fixed)));
      const rest = await gateway.app.inject({ method: verb, url: `/rest/${version}/${format}${filled}?${added.toString()}`, headers });
      const action = await gateway.app.inject({
        method: 'POST',
        url: `/server/${format}.server.php?action=${name}&version=${clientVersions[version]}&${query.toString()}`,
        headers,
      });
      expect(sameName(rest.body)).toBe(sameName(action.body));
    }
  });
});
