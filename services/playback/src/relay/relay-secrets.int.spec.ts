import { recordingLog } from '@continuo/chassis/testkit';
import {
  beginLastfmLink,
  describeRelays,
  linkLastfm,
  linkListenBrainz,
  recordPlays,
  unlinkRelay,
  userDeleted,
  type SongId,
  type UserId,
} from '@continuo/contracts';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RunningRelay } from '../../test/relay/running-relay.js';

const WAIT = { timeout: 30_000, interval: 25 };
const { log, lines } = recordingLog();
let relay: RunningRelay;

beforeAll(async () => {
  relay = await RunningRelay.start({ replicas: 1, log });
});
afterAll(() => relay.stop());
afterEach(() => {
  relay.listenBrainz.trouble = undefined;
  relay.lastfm.trouble = undefined;
});

const TOKEN = 'listenbrainz-token-of-somebody';
const linked = async (): Promise<UserId> => {
  const user = await relay.account();
  relay.listenBrainz.tokens.set(`${TOKEN}-${user}`, `ada-${user}`);
  await relay.send(linkListenBrainz, { userId: user, token: `${TOKEN}-${user}` });
  const { token } = await relay.send(beginLastfmLink, { userId: user });
  relay.lastfm.tokens.set(token, `bob-${user}`);
  await relay.send(linkLastfm, { userId: user, token });
  return user;
};
const play = (user: UserId, song: SongId): Promise<unknown> =>
  relay.send(recordPlays, { userId: user, client: 'spec', plays: [{ songId: song, playedAtMs: Date.now() }] });
const statesOf = async (user: UserId) => (await relay.send(describeRelays, { userId: user })).links.map(({ state }) => state);

describe('what proves an account elsewhere', () => {
  it('goes to no other server, wherever the service sends', async () => {
    const user = await linked();
    let [there, here] = [0, 0];
    relay.listenBrainz.trouble = () => {
      there += 1;
      return { status: 307, headers: { location: `${relay.lastfm.url}/1/submit-listens` } };
    };
    relay.lastfm.trouble = () => {
      here += 1;
      return { status: 302, headers: { location: `${relay.listenBrainz.url}/2.0/` } };
    };
    const [fromLastfm, fromListenBrainz] = [relay.listenBrainz.asked.length, relay.lastfm.asked.length];
    await play(user, await relay.song('Sent elsewhere'));
    await vi.waitFor(() => expect(Math.min(there, here)).toBeGreaterThanOrEqual(2), WAIT);
    expect(relay.lastfm.asked.slice(fromListenBrainz).some(({ path }) => path === '/1/submit-listens')).toBe(false);
    expect(relay.listenBrainz.asked.slice(fromLastfm).some(({ path }) => path === '/2.0/')).toBe(false);
  });

  it('stands in no line of the log, whatever goes wrong', async () => {
    const user = await linked();
    for (const trouble of [{ status: 500 }, { status: 200, body: 'garbage' }, 'break', { status: 401 }] as const) {
      relay.listenBrainz.trouble = () => trouble;
      relay.lastfm.trouble = () => trouble;
      await play(user, await relay.song(`Trouble ${JSON.stringify(trouble)}`));
      await vi.waitFor(async () => expect(await statesOf(user)).not.toContain('on'), WAIT);
    }
    await expect(relay.send(linkListenBrainz, { userId: user, token: 'a-token-that-nobody-knows' })).rejects.toMatchObject({
      code: 'input.invalid',
    });
    await expect(relay.send(linkLastfm, { userId: user, token: 'a-token-that-nobody-knows' })).rejects.toMatchObject({
      code: 'input.invalid',
    });
    const text = JSON.stringify(lines);
    expect(lines.length).toBeGreaterThan(5);
    for (const secret of [TOKEN, 'a-token-that-nobody-knows', 'session-of-', relay.lastfm.secret, relay.lastfm.apiKey])
      expect(text).not.toContain(secret);
  });
});

describe('an account that is deleted', () => {
  it('is told of no more, and leaves no link, cursor or note', async () => {
    const user = await linked();
    await play(user, await relay.song('The last one'));
    await vi.waitFor(() => expect(relay.listenBrainz.titles(`ada-${user}`)).toEqual(['The last one']), WAIT);
    await vi.waitFor(() => expect(relay.lastfm.titles(`bob-${user}`)).toEqual(['The last one']), WAIT);
    await relay.deps.eventStore.append(
      [{ context: 'identity', aggregate: 'user', id: user, expectedPosition: 0, events: [userDeleted({ userId: user })] }],
      { actor: 'system', correlationId: 'spec', causationId: 'spec', at: Date.now() },
    );
    await vi.waitFor(async () => expect((await relay.send(describeRelays, { userId: user })).links).toEqual([]), WAIT);
    await vi.waitFor(async () => {
      for (const table of ['playback.relay_progress', 'playback.relayed_play'] as const)
        expect(await relay.db.selectFrom(table).select('user_id').where('user_id', '=', user).execute()).toEqual([]);
      const bucket = await new Kvm(jetstream(relay.deps.nats)).open('relay_cursors');
      expect((await bucket.get(`listenbrainz.${user}`))?.operation).not.toBe('PUT');
    }, WAIT);
    await play(user, await relay.song('Too late'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(relay.listenBrainz.titles(`ada-${user}`)).toEqual(['The last one']);
  });

  it('leaves a link of another account alone, as one that is unlinked does', async () => {
    const [one, other] = [await linked(), await linked()];
    await relay.send(unlinkRelay, { userId: one, service: 'lastfm' });
    expect(await statesOf(one)).toHaveLength(1);
    expect(await statesOf(other)).toHaveLength(2);
  });
});
