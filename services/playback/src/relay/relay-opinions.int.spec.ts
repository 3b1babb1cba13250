import {
  beginLastfmLink,
  describeRelays,
  linkLastfm,
  linkListenBrainz,
  objectFlagged,
  objectUnflagged,
  recordPlays,
  type SongId,
  type UserId,
} from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { RunningRelay } from '../../test/relay/running-relay.js';

const WAIT = { timeout: 30_000, interval: 25 };
const RECORDING = '99999999-8888-7777-6666-555555555555';
let relay: RunningRelay;
let position = 0;

beforeAll(async () => {
  relay = await RunningRelay.start();
});
afterAll(() => relay.stop());
afterEach(() => {
  relay.listenBrainz.trouble = undefined;
  relay.lastfm.trouble = undefined;
});

const linked = async (): Promise<UserId> => {
  const user = await relay.account();
  relay.listenBrainz.tokens.set(`token-${user}`, `ada-${user}`);
  await relay.send(linkListenBrainz, { userId: user, token: `token-${user}` });
  const { token } = await relay.send(beginLastfmLink, { userId: user });
  relay.lastfm.tokens.set(token, `bob-${user}`);
  await relay.send(linkLastfm, { userId: user, token });
  return user;
};
/** Favourites as the social service writes them down. */
const opine = async (user: UserId, song: SongId, loved: boolean, kind: 'song' | 'album' = 'song'): Promise<void> => {
  const what = { userId: user, kind, objectId: song };
  const event = loved ? objectFlagged({ ...what, flaggedAtMs: Date.now() }) : objectUnflagged(what);
  const meta = { actor: 'spec', correlationId: 'spec', causationId: 'spec', at: Date.now() };
  const id = `${user}-${kind}-${(position += 1)}`;
  await relay.deps.eventStore.append([{ context: 'social', aggregate: 'annotations', id, expectedPosition: 0, events: [event] }], meta);
};
const lovesOf = (user: UserId): string[] =>
  relay.lastfm.loves.flatMap(([name, track, method]) => (name === `bob-${user}` ? [`${method} ${track}`] : []));
const scoresOf = (user: UserId): number[] =>
  relay.listenBrainz.feedback.flatMap(([name, id, score]) => (name === `ada-${user}` && id === RECORDING ? [score] : []));
const waiting = async (user: UserId): Promise<number> =>
  (await relay.db.selectFrom('playback.relay_opinion').select('song_id').where('user_id', '=', user).execute()).length;

it('favourites are told to both services, and taken back', async () => {
  const user = await linked();
  const song = await relay.song('Loved');
  await opine(user, song, true);
  await vi.waitFor(() => expect([lovesOf(user), scoresOf(user)]).toEqual([['track.love Loved'], [1]]), WAIT);
  await opine(user, song, false);
  await vi.waitFor(() => expect([lovesOf(user).at(-1), scoresOf(user)]).toEqual(['track.unlove Loved', [1, 0]]), WAIT);
  await vi.waitFor(async () => expect(await waiting(user)).toBe(0), WAIT);
});

it('only songs are told of, only of linked accounts, and to ListenBrainz only what has an id there', async () => {
  const [user, stranger] = [await linked(), await relay.account()];
  const [plain, album] = [await relay.song('Plain', { mbid: '' }), await relay.song('Album')];
  await opine(stranger, plain, true);
  await opine(user, album, true, 'album');
  await opine(user, plain, true);
  await vi.waitFor(() => expect(lovesOf(user)).toEqual(['track.love Plain']), WAIT);
  await vi.waitFor(async () => expect([await waiting(user), await waiting(stranger)]).toEqual([0, 0]), WAIT);
  expect(scoresOf(user)).toEqual([]);
});

it('of what cannot be told yet the latest word is told later, and plays do not wait for it', async () => {
  const user = await linked();
  const song = await relay.song('Undecided');
  relay.lastfm.trouble = ({ body }) => (body.includes('track.love') || body.includes('track.unlove') ? { status: 503 } : undefined);
  await opine(user, song, true);
  await vi.waitFor(
    () => expect(relay.lastfm.asked.some(({ body }) => body.includes('track.love') && body.includes('Undecided'))).toBe(true),
    WAIT,
  );
  await relay.send(recordPlays, { userId: user, client: 'c', plays: [{ songId: song, playedAtMs: Date.now() }] });
  await vi.waitFor(() => expect(relay.lastfm.titles(`bob-${user}`)).toEqual(['Undecided']), WAIT);
  await opine(user, song, false);
  relay.lastfm.trouble = undefined;
  await vi.waitFor(() => expect(lovesOf(user).at(-1)).toBe('track.unlove Undecided'), WAIT);
  const { links } = await relay.send(describeRelays, { userId: user });
  expect(links.map(({ state }) => state)).toEqual(['on', 'on']);
});

it('are given up after some tries, and end the link of an account that is not known any more', async () => {
  const user = await linked();
  relay.lastfm.trouble = () => ({ status: 503 });
  await opine(user, await relay.song('In vain'), true);
  await vi.waitFor(async () => expect(await waiting(user)).toBe(0), WAIT);
  relay.lastfm.trouble = undefined;
  relay.lastfm.sessions.clear();
  await opine(user, await relay.song('Unknown there'), true);
  await vi.waitFor(async () => expect((await relay.send(describeRelays, { userId: user })).links.at(-1)?.state).toBe('refused'), WAIT);
});
