import {
  beginLastfmLink,
  describeRelays,
  retryRelayNow,
  linkLastfm,
  linkListenBrainz,
  linkPluginRelay,
  Rejection,
  unlinkRelay,
} from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PageWorld } from '../../../test/account-page/page-world.fixture.js';
import type { Relays } from './pages/relays.section.js';

let world: PageWorld;
let relays: Relays;

const offers: Relays['offers'] = [
  { service: 'listenbrainz', host: 'api.listenbrainz.org', ownAddress: true },
  { service: 'lastfm', host: 'ws.audioscrobbler.com', ownAddress: false },
];
const link = (more: Partial<Relays['links'][number]> = {}): Relays['links'][number] => ({
  service: 'listenbrainz',
  host: 'api.listenbrainz.org',
  name: 'bob-there',
  state: 'on',
  linkedAtMs: Date.UTC(2026, 10, 20, 9, 30),
  taken: 0,
  lastTakenAtMs: null,
  fault: null,
  nextTryAtMs: null,
  ...more,
});
const handled = <R>(result: R): { result: R; positions: [] } => ({ result, positions: [] });

beforeAll(async () => {
  world = await PageWorld.start();
  world.commands
    .handle(linkListenBrainz, async ({ data }) => {
      if (data.token === 'slow') throw new Rejection('unavailable', 'api.listenbrainz.org: timeout');
      if (data.token !== 'good') throw new Rejection('input.invalid', 'api.listenbrainz.org: it does not know this token', 'token');
      relays = { ...relays, links: [link()] };
      return handled({ name: 'bob-there' });
    })
    .handle(beginLastfmLink, async () => handled({ token: 'token-1', allowUrl: 'https://www.last.fm/api/auth/?api_key=k&token=token-1' }))
    .handle(linkLastfm, async ({ data }) => {
      if (data.token !== 'token-1')
        throw new Rejection('input.invalid', 'ws.audioscrobbler.com: this server has not been allowed there yet');
      relays = { ...relays, links: [link({ service: 'lastfm', host: 'ws.audioscrobbler.com' })] };
      return handled({ name: 'bob-there' });
    })
    .handle(unlinkRelay, async ({ data }) => {
      relays = { ...relays, links: relays.links.filter(({ service }) => service !== data.service) };
      return handled({});
    })
    .handle(retryRelayNow, async () => handled({}));
});
afterAll(() => world.stop());
beforeEach(() => {
  relays = { links: [], offers };
  world.commands.handle(describeRelays, async () => handled(relays));
});

const sent = (verb: string): readonly unknown[] =>
  world.commands.sent.filter(({ subject }) => subject === `cmd.playback.${verb}`).map(({ message }) => message.data);

describe('connected services', () => {
  it('are shown with their state, never with their credentials', async () => {
    const lastTakenAtMs = Date.UTC(2026, 10, 21, 6, 5);
    relays = {
      offers,
      links: [
        link({ taken: 12, lastTakenAtMs }),
        link({ service: 'lastfm', host: 'libre.example', state: 'waiting', fault: 'it answered <503>', nextTryAtMs: lastTakenAtMs }),
      ],
    };
    const { body } = await (await world.signedIn('bob')).get('/account/me');
    expect(body).toContain('12 plays, the latest at 2026-11-21 06:05 UTC');
    expect(body).toContain('as bob-there');
    expect(body).toContain('at libre.example');
    expect(body).toContain('it answered &lt;503&gt;; next try 2026-11-21 06:05 UTC');
    expect(body).toContain('action="relay-hurry"');
    expect(body).not.toContain('action="relay-listenbrainz"');
    expect(body).not.toContain('action="relay-lastfm"');
  });

  it('show a revoked account, and can be connected again', async () => {
    relays = { offers, links: [link({ state: 'refused', fault: 'Invalid authorization token.' })] };
    const { body } = await (await world.signedIn('bob')).get('/account/me');
    expect(body).toContain('It does not know your account any more (Invalid authorization token.)');
    expect(body).toContain('action="relay-listenbrainz"');
  });

  it('are not offered to guests, and left out when the playback service does not answer', async () => {
    expect((await (await world.signedIn('gus')).get('/account/me')).body).not.toContain('Connected services');
    world.commands.handle(describeRelays, async () => {
      throw new Rejection('unavailable');
    });
    const page = await (await world.signedIn('bob')).get('/account/me');
    expect([page.statusCode, page.body.includes('They cannot be shown at the moment.')]).toEqual([200, true]);
    world.commands.handle(describeRelays, async () => handled({ links: [], offers: [] }));
    expect((await (await world.signedIn('bob')).get('/account/me')).body).not.toContain('Connected services');
  });

  it('are connected by a token, at the default server or another, and show refusals', async () => {
    const bob = await world.signedIn('bob');
    expect((await bob.post('/account/relay-listenbrainz', { token: 'good', address: '' })).headers['location']).toBe(
      'me?done=relay-linked',
    );
    expect(sent('link-listenbrainz').at(-1)).toEqual({ userId: 2, token: 'good' });
    expect((await bob.get('/account/me?done=relay-linked')).body).toContain('Connected. What you play');
    await bob.post('/account/relay-listenbrainz', { token: 'good', address: ' https://maloja.example/apis/listenbrainz ' });
    expect(sent('link-listenbrainz').at(-1)).toMatchObject({ address: 'https://maloja.example/apis/listenbrainz' });
    for (const [token, said] of [
      ['', 'A token is needed'],
      ['wrong', 'it does not know this token'],
      ['slow', 'Try again later'],
      ['with blank s', 'must be 1 to 512'],
    ] as const) {
      const answer = await bob.post('/account/relay-listenbrainz', { token });
      expect([answer.statusCode, answer.body.includes(said)]).toEqual([400, true]);
    }
    expect((await bob.post('/account/relay-listenbrainz', { token: 'a-token-that-is-not-shown' })).body).not.toContain('a-token-that');
  });

  it('of plug-ins are connected by a token', async () => {
    relays = { links: [], offers: [{ service: 'plugin', host: 'diary', ownAddress: false, title: 'My <diary>' }] };
    const bob = await world.signedIn('bob');
    const { body } = await bob.get('/account/me');
    expect(body).toContain('Connect My &lt;diary&gt;');
    world.commands.handle(linkPluginRelay, async () => handled({ name: 'me' }));
    expect((await bob.post('/account/relay-plugin', { plugin: 'diary', token: 'good' })).headers['location']).toBe('me?done=relay-linked');
    expect(sent('link-plugin-relay').at(-1)).toEqual({ userId: 2, plugin: 'diary', secret: 'good' });
    expect((await bob.post('/account/relay-plugin', { plugin: 'diary', token: '' })).statusCode).toBe(400);
    relays = { links: [link({ service: 'plugin', host: 'diary' })], offers: relays.offers };
    expect((await bob.get('/account/me')).body).toContain('at diary');
  });

  it('of Last.fm are allowed there first, and finished here', async () => {
    const bob = await world.signedIn('bob');
    const begun = await bob.post('/account/relay-lastfm');
    expect(begun.body).toContain(
      'href="https://www.last.fm/api/auth/?api_key=k&amp;token=token-1" target="_blank" rel="noopener noreferrer"',
    );
    expect(begun.headers['content-security-policy']).toContain("form-action 'self'");
    const early = await bob.post('/account/relay-finish', { token: 'token-0' });
    expect([early.statusCode, early.body.includes('has not been allowed there yet'), early.body.includes('value="token-0"')]).toEqual([
      400,
      true,
      true,
    ]);
    expect((await bob.post('/account/relay-finish', { token: 'token-1' })).headers['location']).toBe('me?done=relay-linked');
    world.commands.handle(beginLastfmLink, async () => handled({ token: 't', allowUrl: 'javascript:alert(1)' }));
    expect((await bob.post('/account/relay-lastfm')).body).not.toContain('javascript:');
  });

  it('are disconnected and retried by their owner only', async () => {
    relays = { offers, links: [link({ state: 'waiting' })] };
    const bob = await world.signedIn('bob');
    expect((await bob.post('/account/relay-hurry', { service: 'listenbrainz' })).headers['location']).toBe('me?done=relay-hurry');
    expect((await bob.post('/account/relay-unlink', { service: 'listenbrainz', user: '1' })).headers['location']).toBe(
      'me?done=relay-unlink',
    );
    expect(sent('unlink-relay')).toEqual([{ userId: 2, service: 'listenbrainz' }]);
    expect((await bob.post('/account/relay-unlink', { service: 'elsewhere' })).statusCode).toBe(400);
    const before = world.commands.sent.length;
    expect((await bob.post('/account/relay-unlink', { service: 'lastfm', mark: 'forged' })).statusCode).toBe(403);
    expect((await world.browser().post('/account/relay-unlink', { service: 'lastfm' })).headers['location']).toBe('login');
    expect(world.commands.sent.length).toBe(before);
  });
});
