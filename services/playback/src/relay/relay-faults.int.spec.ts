import { listDeadLetters, replayDeadLetters } from '@continuo/chassis';
import { retryRelayNow, type RecordedEvent, type SongId } from '@continuo/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { relayPeople } from '../../test/relay/relay-people.js';
import { RunningRelay } from '../../test/relay/running-relay.js';
import { PostgresRelayJournal } from './sending/relay-journal.js';

const WAIT = { timeout: 30_000, interval: 25 };
const PAUSE_MS = 600;
let relay: RunningRelay;

beforeAll(async () => {
  relay = await RunningRelay.start({ environment: { LOG_LEVEL: 'error' } });
});
afterAll(() => relay.stop());
afterEach(() => {
  relay.listenBrainz.trouble = undefined;
  relay.lastfm.trouble = undefined;
});

const later = (ms = PAUSE_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const { withListenBrainz, withLastfm, record, outcomes, linkOf } = relayPeople(() => relay);

describe('a service that', () => {
  it.each([
    ['answers 429', { status: 429, headers: { 'retry-after': '0' } }],
    ['answers 503', { status: 503 }],
    ['answers 500', { status: 500, body: 'oh' }],
    ['answers garbage', { status: 200, body: '<html>login here</html>' }],
    ['sends elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['hangs', 'never'],
    ['breaks off', 'break'],
  ] as const)('%s gets it again', async (_what, trouble) => {
    const { user, name } = await withListenBrainz();
    const { name: there } = await withLastfm(user);
    const title = `Again ${_what}`;
    let tries = 0;
    relay.listenBrainz.trouble = ({ body }) => (body.includes(title) && (tries += 1) <= 2 ? trouble : undefined);
    let others = 0;
    relay.lastfm.trouble = ({ body }) => (body.includes('Again') && (others += 1) <= 2 ? trouble : undefined);
    await record(user, [await relay.song(title), Date.now()]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual([title]), WAIT);
    await vi.waitFor(() => expect(relay.lastfm.titles(there)).toEqual([title]), WAIT);
    expect([tries, others]).toEqual([3, 3]);
  });

  it('takes it and breaks off gets it twice, and shows it once', async () => {
    const { user, name } = await withListenBrainz();
    let tries = 0;
    relay.listenBrainz.trouble = () => ((tries += 1) === 1 ? 'take-and-break' : undefined);
    await record(user, [await relay.song('Twice'), Date.now()]);
    await vi.waitFor(() => expect(relay.listenBrainz.sent.filter((one) => one.user === name)).toHaveLength(2), WAIT);
    expect(relay.listenBrainz.titles(name)).toEqual(['Twice']);
  });

  it('asks for a pause gets one, by Retry-After and by its own heads', async () => {
    const { user, name } = await withListenBrainz();
    for (const headers of [{ 'retry-after': '2' }, { 'x-ratelimit-reset-in': '2' }] as Record<string, string>[]) {
      const times: number[] = [];
      relay.listenBrainz.trouble = () => (times.push(Date.now()) === 1 ? { status: 429, headers } : undefined);
      const title = `Paused ${Object.keys(headers)[0]}`;
      await record(user, [await relay.song(title), Date.now()]);
      await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toContain(title), WAIT);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1990);
    }
  });

  it('says that its share of requests is used up is left alone for so long', async () => {
    const { user, name } = await withListenBrainz();
    const usual = relay.listenBrainz.limits;
    relay.listenBrainz.limits = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-in': '1' };
    const song = await relay.song('Shares');
    const from = Date.now();
    await record(user, ...Array.from({ length: 250 }, (_, n) => [song, from + n * 1000] as const));
    await vi.waitFor(() => expect(relay.listenBrainz.listens(name).length).toBeGreaterThan(0), WAIT);
    // What is played during the pause does not shorten it.
    await record(user, [song, from + 250_000]);
    await vi.waitFor(() => expect(relay.listenBrainz.listens(name)).toHaveLength(251), WAIT);
    relay.listenBrainz.limits = usual;
    const times = relay.listenBrainz.asked.filter(({ body }) => body.includes('Shares')).map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...times.slice(1).map((atMs, at) => atMs - (times[at] ?? 0)))).toBeGreaterThanOrEqual(990);
  });

  it.each([11, 16, 29, 8])('answers error %i of Last.fm gets it again', async (error) => {
    const { user, name } = await withLastfm();
    let tries = 0;
    const body = JSON.stringify({ error, message: 'later' });
    relay.lastfm.trouble = () => ((tries += 1) === 1 ? { status: 200, headers: { 'retry-after': '0' }, body } : undefined);
    await record(user, [await relay.song(`Error ${error}`), Date.now()]);
    await vi.waitFor(
      async () => expect(await linkOf(user, 'lastfm')).toMatchObject({ state: 'waiting', fault: `error ${error}: later` }),
      WAIT,
    );
    await relay.send(retryRelayNow, { userId: user, service: 'lastfm' });
    await vi.waitFor(() => expect(relay.lastfm.titles(name)).toEqual([`Error ${error}`]), WAIT);
  });

  it('does not know an account any more is told nothing, the account is told, and a new link goes on where it was', async () => {
    const { user, name } = await withLastfm();
    relay.lastfm.sessions.clear();
    await record(user, [await relay.song('Meanwhile'), Date.now()]);
    await vi.waitFor(
      async () => expect(await linkOf(user, 'lastfm')).toMatchObject({ state: 'refused', fault: expect.stringContaining('error 9') }),
      WAIT,
    );
    // A replica that has not heard of the refusal yet gets no turn.
    const journal = new PostgresRelayJournal(relay.deps.db);
    const mine = (await journal.links()).filter(({ user_id: id }) => id === user);
    expect(await Promise.all(mine.map((link) => journal.take(link, 1000)))).toEqual([undefined]);
    const before = relay.lastfm.asked.length;
    await record(user, [await relay.song('Not asked'), Date.now()]);
    await later();
    expect(relay.lastfm.asked.length).toBe(before);
    await relay.send(retryRelayNow, { userId: user, service: 'lastfm' });
    expect(await linkOf(user, 'lastfm')).toMatchObject({ state: 'refused', fault: expect.stringContaining('error 9') });
    await withLastfm(user);
    await vi.waitFor(() => expect(relay.lastfm.titles(name)).toEqual(['Meanwhile', 'Not asked']), WAIT);
    expect(await linkOf(user, 'lastfm')).toMatchObject({ state: 'on', fault: null });
  });

  it('refuses a token of ListenBrainz ends the link, and other accounts go on', async () => {
    const [one, other] = [await withListenBrainz(), await withListenBrainz()];
    relay.listenBrainz.tokens.delete(`token-of-${one.name}`);
    for (const { user } of [one, other]) await record(user, [await relay.song(`Token of ${user}`), Date.now()]);
    await vi.waitFor(async () => expect(await linkOf(one.user)).toMatchObject({ state: 'refused' }), WAIT);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(other.name)).toHaveLength(1), WAIT);
  });
});

describe('a play that a service will never take', () => {
  const lettersOf = async (song: SongId) => {
    const found = [];
    for await (const letter of listDeadLetters(relay.deps.nats, { subject: 'react.playback-relay-listenbrainz' }))
      if (JSON.parse(Buffer.from(letter.payload).toString()).songId === song) found.push(letter);
    return found;
  };

  it('is put aside, holds up nothing, and is told when an operator replays it', async () => {
    const { user, name } = await withListenBrainz();
    const [bad, ...good] = [await relay.song('Bad'), await relay.song('Good 1'), await relay.song('Good 2')];
    relay.listenBrainz.refuses.add('Bad');
    const now = Date.now();
    await record(user, [good[0], now], [bad, now + 1000], [good[1], now + 2000]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Good 1', 'Good 2']), WAIT);
    await vi.waitFor(async () => expect(await lettersOf(bad)).toHaveLength(1), WAIT);
    const [letter] = await lettersOf(bad);
    expect(letter).toMatchObject({ reason: 'a title is not allowed', subject: 'react.playback-relay-listenbrainz' });
    expect(await outcomes(user)).toContainEqual([bad, 'dead', 'a title is not allowed']);
    await replayDeadLetters(relay.deps.nats, { sequences: [letter?.sequence ?? 0] });
    await vi.waitFor(async () => expect((await lettersOf(bad)).map(({ sequence }) => sequence)).not.toContain(letter?.sequence), WAIT);
    await vi.waitFor(async () => expect(await lettersOf(bad)).toHaveLength(1), WAIT);
    relay.listenBrainz.refuses.delete('Bad');
    const [again] = await lettersOf(bad);
    await replayDeadLetters(relay.deps.nats, { sequences: [again?.sequence ?? 0] });
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Good 1', 'Good 2', 'Bad']), WAIT);
    await vi.waitFor(async () => expect(await outcomes(user)).toContainEqual([bad, 'taken', null]), WAIT);
    expect(await lettersOf(bad)).toEqual([]);
  });

  it('is told again when it is replayed while the replay before that comes to its end', async () => {
    const journal = new PostgresRelayJournal(relay.deps.db);
    // Nobody's link, so that no turn takes it.
    const link = { user_id: 999_999, service: 'listenbrainz' } as const;
    const event = { position: 7 } as unknown as RecordedEvent;
    await journal.addReplay(link, event);
    const first = await journal.replays(link, 10);
    await journal.addReplay(link, event);
    await journal.endReplays(link, first);
    const second = await journal.replays(link, 10);
    expect([first, second].map((replays) => replays.map(({ event: { position } }) => position))).toEqual([[7], [7]]);
    await journal.endReplays(link, second);
    expect(await journal.replays(link, 10)).toEqual([]);
  });

  it('because it breaks the service is found among others and put aside after some tries', async () => {
    const { user, name } = await withListenBrainz();
    const [poison, fine, first] = [await relay.song('Poison'), await relay.song('Cure'), await relay.song('Before it')];
    relay.listenBrainz.breaksOn.add('Poison');
    const now = Date.now();
    await record(user, [first, now], [poison, now + 1000], [fine, now + 2000]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Before it', 'Cure']), WAIT);
    await vi.waitFor(async () => expect(await lettersOf(poison)).toHaveLength(1), WAIT);
  });
});
