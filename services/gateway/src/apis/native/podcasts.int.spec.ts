import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationWriter } from '../../../test/library/annotation-writer.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { maintenanceCommands } from '../../../test/fakes/maintenance-commands.js';
import { seedPodcasts, withPodcasts } from '../../../test/library/podcast-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let commands: InMemoryCommandClient;
let gateway: TestGateway;
let closed: TestGateway;
let narrow: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  await seedPodcasts(model.write);
  commands = withPodcasts(maintenanceCommands());
  gateway = await startTestGateway(model.read, { commands });
  closed = await startTestGateway(model.read, { commands, settings: { PODCAST: false } });
  narrow = await startTestGateway(model.read, { commands, auth: fixedAuth([{ ...testAccounts.admin, catalogs: [2] }]) });
});
afterAll(async () => {
  await Promise.all([gateway, closed, narrow].map((one) => one.stop()));
  await model.close();
});
let since: number;
beforeEach(() => {
  since = commands.sent.length;
});
const told = (): unknown[] => commands.sent.slice(since).map(({ message }) => message.data);

type As = keyof typeof testAccounts;
interface How {
  readonly as?: As;
  readonly on?: TestGateway;
  readonly version?: string;
}
// oxlint-disable-next-line typescript/no-explicit-any
const call = async (query: string, { as = 'admin', on = gateway, version = '8.0.0' }: How = {}): Promise<any> => {
  const url = `/server/json.server.php?version=${version}&action=${query}`;
  return (await on.app.inject({ url, headers: { authorization: `Bearer ${testAccounts[as].token}` } })).json();
};
const errorOf = async (query: string, how?: Parameters<typeof call>[1]): Promise<unknown> => {
  const { error } = await call(query, how);
  return [error?.errorCode, error?.errorType];
};
const ids = async (query: string, kind: string, how?: Parameters<typeof call>[1]): Promise<string[]> =>
  (await call(query, how))[kind].map(({ id }: { id: string }) => id);

const FEED = 'url=https%3A%2F%2Ftalks.example%2Ffeed';

describe('podcasts', () => {
  it('are found by name, catalog, and when they were added', async () => {
    expect(await ids('podcasts', 'podcast')).toEqual(['1', '2']);
    expect(await ids('podcasts&filter=TALK', 'podcast')).toEqual(['1']);
    expect(await ids('podcasts&cond=catalog,2', 'podcast')).toEqual(['2']);
    expect(await ids('podcasts&add=2030-01-01', 'podcast')).toEqual([]);
    expect(await ids('podcasts&sort=episodes,DESC', 'podcast')).toEqual(['1', '2']);
  });
  it('are not there for who does not see their catalog', async () => {
    expect(await ids('podcasts', 'podcast', { on: narrow })).toEqual(['2']);
    for (const query of [
      'podcast&filter=1',
      'podcast_episodes&filter=1',
      'podcast_episode&filter=1',
      'podcast_delete&filter=1',
      'update_podcast&filter=1',
    ])
      expect(await errorOf(query, { on: narrow })).toEqual(['4704', 'filter']);
    expect(await ids('deleted_podcast_episodes', 'deleted_podcast_episode', { on: narrow })).toEqual([]);
    expect(await errorOf(`podcast_create&catalog=1&${FEED}`, { on: narrow })).toEqual(['4710', 'catalog']);
    expect(await call('handshake', { on: narrow })).toBeDefined();
    expect((await call('ping', { on: narrow })).podcast_episodes).toBe(1);
    expect(told()).toEqual([]);
  });
  it('are counted', async () => {
    expect(await call('ping')).toMatchObject({ podcasts: 2, podcast_episodes: 3, max_podcast: 2, max_podcast_episode: 4 });
  });
  it('are named by REST as well', async () => {
    const rest = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string): Promise<Record<string, unknown>> =>
      (
        await gateway.app.inject({ method, url: `/rest/8/json/${path}`, headers: { authorization: `Bearer ${testAccounts.admin.token}` } })
      ).json();
    expect(await rest('GET', 'podcasts/1')).toMatchObject({ id: '1' });
    expect(await rest('GET', 'podcasts/1/podcast-episodes')).toMatchObject({ total_count: 2 });
    expect(await rest('GET', 'podcast-episodes/2')).toMatchObject({ id: '2' });
    expect(await rest('GET', 'podcast-episodes/deleted')).toMatchObject({ total_count: 1 });
    expect(await rest('POST', 'podcasts/1/sync')).toEqual({ success: 'Synced episodes for podcast: 1' });
    expect(await rest('PATCH', 'podcasts/1?title=Other')).toEqual({ success: 'podcast 1 updated' });
    expect(await rest('DELETE', 'podcast-episodes/2')).toEqual({ success: 'podcast_episode 2 deleted' });
    expect(await rest('DELETE', 'podcasts/1')).toEqual({ success: 'podcast 1 deleted' });
  });
});

describe('who may', () => {
  it.each([
    [`podcast_create&catalog=2&${FEED}`, 75],
    ['podcast_delete&filter=1', 75],
    ['podcast_episode_delete&filter=1', 75],
    ['podcast_edit&filter=1&title=x', 50],
    ['update_podcast&filter=1', 50],
    ['podcast_update&filter=1', 50],
  ])('%s has level %i', async (query, level) => {
    expect((await call(query, { as: 'listener' })).error).toMatchObject({ errorCode: '4742', errorMessage: `Require: ${level}` });
    expect(told()).toEqual([]);
    expect((await call(query)).error).toBeUndefined();
    expect(told()).toHaveLength(1);
  });
  it('is told of the switch before the level, and of parameters before it where the method looks at them first', async () => {
    for (const query of [
      'podcasts',
      'podcast_create',
      'podcast_episodes',
      'deleted_podcast_episodes',
      'podcast_episode_delete&filter=1',
      'list&type=podcast',
      'stats&type=podcast',
      'browse&type=podcast&filter=1',
    ])
      expect(await errorOf(query, { as: 'listener', on: closed })).toEqual(['4703', 'system']);
    expect(await errorOf('podcast_episode_delete', { as: 'listener' })).toEqual(['4710', 'system']);
    expect(await errorOf('podcast_episode_delete&filter=99', { as: 'listener' })).toEqual(['4704', 'filter']);
    expect(await errorOf('podcast_create', { as: 'listener' })).toEqual(['4742', 'account']);
  });
  it('finds nothing of podcasts where they are switched off', async () => {
    expect(await errorOf('search&type=podcast&rule_1=title&rule_1_operator=0&rule_1_input=e', { on: closed })).toEqual(['4703', 'system']);
    const { search } = await call('search_group&type=all&rule_1=title&rule_1_operator=0&rule_1_input=s', { on: closed });
    expect(Object.keys(search)).not.toContain('podcast_episode');
  });
});

describe('what is written', () => {
  it('becomes what is kept, as far as it can be', async () => {
    await call('podcast_edit&filter=1&title=%20New%20&feed=nonsense&website=https%3A%2F%2Fa.example&description=&copyright=c');
    expect(told()).toEqual([{ podcastId: 1, about: { title: 'New', description: '', copyright: 'c', websiteUrl: 'https://a.example' } }]);
  });
  it('takes a page away, and no title', async () => {
    await call('podcast_edit&filter=1&title=%20&website=&feed=https%3A%2F%2Fa.example%2Ffeed');
    expect(told()).toEqual([{ podcastId: 1, feedUrl: 'https://a.example/feed', about: { websiteUrl: null } }]);
  });
  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://ada:pw@a.example', 'talks', ''])('is no feed: %j', async (url) => {
    const { error } = await call(`podcast_create&catalog=2&url=${encodeURIComponent(url)}`);
    expect([error.errorCode, error.errorType, error.errorMessage.includes('pw@')]).toEqual(['4710', 'url', false]);
    expect(told()).toEqual([]);
  });
});

describe('episodes', () => {
  it('come the latest first, or as is wished', async () => {
    expect(await ids('podcast_episodes&filter=1', 'podcast_episode')).toEqual(['2', '1']);
    expect(await ids('podcast_episodes&filter=1&sort=pubdate,ASC', 'podcast_episode')).toEqual(['1', '2']);
    expect(await ids('podcast_episodes&filter=1&cond=unplayed,1', 'podcast_episode')).toEqual(['2']);
  });
  it('are found by rules', async () => {
    const found = (rule: string, operator: number, input: string): Promise<string[]> =>
      ids(
        `search&type=podcast_episode&rule_1=${rule}&rule_1_operator=${operator}&rule_1_input=${encodeURIComponent(input)}`,
        'podcast_episode',
      );
    expect(await found('podcast', 0, 'talk')).toEqual(['2', '1']);
    expect(await found('state', 0, '2')).toEqual(['1']);
    expect(await found('played', 1, '')).toEqual(['2', '3']);
  });
  it('stand in statistics as they are played', async () => {
    expect(await ids('stats&type=podcast_episode&filter=frequent', 'podcast_episode')).toEqual([]);
    expect(await ids('stats&type=podcast_episode&filter=recent', 'podcast_episode')).toEqual(['1']);
    expect(await ids('stats&type=podcast&filter=forgotten&user_id=2', 'podcast')).toEqual(['1']);
    expect(await ids('stats&type=podcast_episode&filter=newest&limit=2', 'podcast_episode')).toEqual(['2', '1']);
    expect(await ids('stats&type=podcast&filter=recent', 'podcast', { on: narrow })).toEqual([]);
  });
  it('carry what people think of them', async () => {
    const opinions = new AnnotationWriter(model.write);
    await opinions.rate({ userId: 1, kind: 'podcast_episode', objectId: 1 }, 4);
    await opinions.flag({ userId: 1, kind: 'podcast', objectId: 1 }, 1000);
    expect(await call('podcast_episode&filter=1')).toMatchObject({ rating: 4, averagerating: 4, flag: false });
    expect(await call('podcast&filter=1')).toMatchObject({ rating: null, flag: true });
    expect(await ids('podcasts&cond=user_flag,1', 'podcast')).toEqual(['1']);
  });
});
