import { rebuildSubject, type RebuildReport } from '@continuo/chassis';
import {
  beginLastfmLink,
  clearPlays,
  describeRelays,
  retryRelayNow,
  linkLastfm,
  linkListenBrainz,
  startPlayback,
  stopPlayback,
  unlinkRelay,
  userId,
  type RelayProgressTable,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LinkLost, PostgresRelayJournal } from './sending/relay-journal.js';
import { relayPeople } from '../../test/relay/relay-people.js';
import { RunningRelay } from '../../test/relay/running-relay.js';

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

/** Plays that wait for ListenBrainz, by the metrics of all replicas. */
const waitingPlays = async (): Promise<number> => {
  const texts = await Promise.all(relay.replicas.map(({ deps }) => deps.metrics.registry.metrics()));
  return texts.reduce((sum, text) => sum + Number(/^continuo_relay_waiting_plays\{to="listenbrainz".*\} (\d+)$/m.exec(text)?.[1] ?? 0), 0);
};

const { withListenBrainz, withLastfm, record, begin, outcomes, linkOf } = relayPeople(() => relay);

describe('a play', () => {
  it('is told to ListenBrainz with all that is known of the song', async () => {
    const { user, name } = await withListenBrainz();
    const at = Date.now();
    await record(user, [await relay.song('Analytical'), at]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Analytical']), WAIT);
    expect(relay.listenBrainz.listens(name)[0]).toEqual({
      user: name,
      listened_at: Math.floor(at / 1000),
      track_metadata: {
        artist_name: 'Ada feat. Charles',
        track_name: 'Analytical',
        release_name: 'Notes',
        additional_info: {
          media_player: 'spec player',
          submission_client: 'continuo',
          submission_client_version: expect.stringMatching(/^\d/),
          duration_ms: 200_000,
          tracknumber: '7',
          discnumber: 1,
          isrc: 'GBAAA1843001',
          recording_mbid: '99999999-8888-7777-6666-555555555555',
          release_mbid: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
          artist_mbids: ['11111111-2222-3333-4444-555555555555'],
        },
      },
    });
    await vi.waitFor(async () => expect(await linkOf(user)).toMatchObject({ state: 'on', taken: 1, fault: null, name }), WAIT);
    expect(relay.listenBrainz.asked.at(-1)?.headers).toMatchObject({ 'user-agent': 'continuo' });
  });

  it('is told to Last.fm, signed, with its album artist where that is another', async () => {
    const { user, name } = await withLastfm();
    const at = Date.now();
    await record(user, [await relay.song('Ünïcode & Sons = 1'), at]);
    await vi.waitFor(() => expect(relay.lastfm.titles(name)).toEqual(['Ünïcode & Sons = 1']), WAIT);
    expect(relay.lastfm.scrobbles(name)[0]).toMatchObject({
      artist: 'Ada feat. Charles',
      timestamp: Math.floor(at / 1000),
      params: {
        'album[0]': 'Notes',
        'albumArtist[0]': 'Ada & the Engines',
        'trackNumber[0]': '7',
        'duration[0]': '200',
        'mbid[0]': '99999999-8888-7777-6666-555555555555',
      },
    });
  });

  it('goes to both services of an account, whatever one of them does', async () => {
    const { user, name } = await withListenBrainz();
    const { name: there } = await withLastfm(user);
    relay.listenBrainz.trouble = () => ({ status: 503 });
    const song = await relay.song('Both');
    await record(user, [song, Date.now()]);
    await vi.waitFor(() => expect(relay.lastfm.titles(there)).toEqual(['Both']), WAIT);
    await vi.waitFor(async () => expect(await linkOf(user)).toMatchObject({ state: 'waiting', fault: 'it answered 503' }), WAIT);
    relay.listenBrainz.trouble = undefined;
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Both']), WAIT);
  });

  it('comes in order, many at once, in requests no larger than each service takes, each once', async () => {
    const { user, name } = await withListenBrainz();
    const { name: there } = await withLastfm(user);
    relay.listenBrainz.trouble = () => ({ status: 502 });
    relay.lastfm.trouble = () => ({ status: 502 });
    const song = await relay.song('Many');
    const at = Date.now() - 1000;
    const from = relay.lastfm.asked.length;
    await later(50);
    await record(user, ...Array.from({ length: 120 }, (_, n) => [song, at + 2000 + n * 1000] as const));
    await later(100);
    relay.listenBrainz.trouble = undefined;
    relay.lastfm.trouble = undefined;
    await vi.waitFor(() => expect(relay.lastfm.scrobbles(there)).toHaveLength(120), WAIT);
    await vi.waitFor(() => expect(relay.listenBrainz.listens(name)).toHaveLength(120), WAIT);
    const stamps = relay.lastfm.sent.filter((one) => one.user === there).map(({ timestamp }) => timestamp);
    expect(stamps).toEqual(stamps.toSorted((one, other) => one - other));
    expect(stamps).toHaveLength(120);
    expect(relay.lastfm.asked.slice(from).some(({ body }) => body.includes('artist%5B50%5D'))).toBe(false);
    expect(relay.listenBrainz.sent.filter((one) => one.user === name)).toHaveLength(120);
  });
});

describe('a play under way', () => {
  it('is said at once, and told when it cannot become a skip any more', async () => {
    const { user, name } = await withListenBrainz();
    const begun = Date.now();
    await begin(user, await relay.song('Under way'));
    await vi.waitFor(() => expect(relay.listenBrainz.playing).toContainEqual({ user: name, track: 'Under way' }), WAIT);
    expect(relay.listenBrainz.titles(name)).toEqual([]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Under way']), WAIT);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2400);
    await later();
    expect(relay.listenBrainz.playing.filter((one) => one.user === name)).toHaveLength(1);
  });

  it('that turns out to be a skip is told to nobody', async () => {
    const { user, name } = await withListenBrainz();
    const begun = Date.now();
    await begin(user, await relay.song('Skipped'), begun);
    await begin(user, await relay.song('Kept'), begun + 300);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Kept']), WAIT);
    await later();
    expect(relay.listenBrainz.titles(name)).toEqual(['Kept']);
  });

  it('holds what comes behind it back, so that the order is kept', async () => {
    const { user, name } = await withListenBrainz();
    await begin(user, await relay.song('First'));
    await record(user, [await relay.song('Second'), Date.now()]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['First', 'Second']), WAIT);
  });

  it('is said once for each start, also when that fails, and not at all when it has stopped', async () => {
    const { user, name } = await withListenBrainz();
    relay.listenBrainz.trouble = ({ body }) => (body.includes('playing_now') ? { status: 500 } : undefined);
    const said = (title: string) =>
      relay.listenBrainz.asked.filter(({ body }) => body.includes('playing_now') && body.includes(title)).length;
    const failing = await relay.song('Said in vain');
    await begin(user, failing);
    await vi.waitFor(() => expect(said('Said in vain')).toBe(1), WAIT);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Said in vain']), WAIT);
    expect(said('Said in vain')).toBe(1);
    expect(await linkOf(user)).toMatchObject({ state: 'on', fault: null });
    const stopped = await relay.song('Stopped');
    await begin(user, stopped);
    await relay.send(stopPlayback, { userId: user, client: 'spec player', objectType: 'song', objectId: stopped });
    await later(200);
    expect(said('Stopped')).toBeLessThanOrEqual(1);
  });

  it('that is only shown is said and not told', async () => {
    const { user, name } = await withLastfm();
    const song = await relay.song('Only shown');
    await relay.send(startPlayback, {
      userId: user,
      client: 'c',
      objectType: 'song',
      objectId: song,
      startedAtMs: Date.now(),
      durationMs: 90_000,
      isNow: true,
    });
    await vi.waitFor(() => expect(relay.lastfm.playing).toContainEqual({ user: name, track: 'Only shown' }), WAIT);
    await later();
    expect(relay.lastfm.titles(name)).toEqual([]);
  });
});

it('goes on where it was when everything beside the log is lost, and its table comes back the same', async () => {
  const { user, name } = await withListenBrainz();
  await record(user, [await relay.song('Before the loss'), Date.now()]);
  await vi.waitFor(async () => expect(await outcomes(user)).toHaveLength(1), WAIT);
  for (const table of ['playback.relay_progress', 'playback.relayed_play'] as const)
    await relay.db.deleteFrom(table).where('user_id', '=', user).execute();
  await record(user, [await relay.song('After the loss'), Date.now()]);
  await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Before the loss', 'After the loss']), WAIT);
  expect(relay.listenBrainz.sent.filter((one) => one.user === name)).toHaveLength(2);
  const answer = await relay.deps.nats.request(rebuildSubject('playback-relay'), JSON.stringify({ mode: 'verify' }), { timeout: 30_000 });
  expect(answer.json<{ report: RebuildReport }>().report).toMatchObject({ compared: true, differing: [] });
});

describe('what nobody should be told', () => {
  it('is passed over with a reason', async () => {
    const linkedFrom = Date.now();
    const { user, name } = await withListenBrainz();
    const [short, old, future, nameless, fine] = await Promise.all([
      relay.song('Short', { durationMs: 30_000 }),
      relay.song('Old'),
      relay.song('Future'),
      relay.song('', {}),
      relay.song('Fine'),
    ]);
    const now = Date.now() + 1000;
    await record(user, [short, now], [old, linkedFrom - 86_400_000], [future, now + 3_600_000], [nameless, now], [fine, now]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Fine']), WAIT);
    await vi.waitFor(
      async () =>
        expect(await outcomes(user)).toEqual([
          [short, 'dropped', 'not longer than 30 seconds'],
          [old, 'dropped', 'played before the account was linked'],
          [future, 'dropped', 'played in the future'],
          [nameless, 'dropped', 'without a title or an artist'],
          [fine, 'taken', null],
        ]),
      WAIT,
    );
  });

  it('includes plays from before an account was linked, and what it cleared', async () => {
    const user = await relay.account();
    await record(user, [await relay.song('Before'), Date.now()]);
    relay.listenBrainz.tokens.set('late', 'late');
    await relay.send(linkListenBrainz, { userId: user, token: 'late' });
    relay.listenBrainz.trouble = () => ({ status: 503 });
    await record(user, [await relay.song('Cleared'), Date.now()]);
    await vi.waitFor(async () => expect(await linkOf(user)).toMatchObject({ state: 'waiting' }), WAIT);
    await relay.send(clearPlays, { userId: user });
    await record(user, [await relay.song('After'), Date.now()]);
    relay.listenBrainz.trouble = undefined;
    await vi.waitFor(() => expect(relay.listenBrainz.titles('late')).toEqual(['After']), WAIT);
  });

  it('waits for a song that the library does not know yet, and gives up one that is gone', async () => {
    const { user, name } = await withListenBrainz();
    const gone = await relay.song('Gone');
    await relay.db.deleteFrom('library.song').where('id', '=', gone).execute();
    await record(user, [gone, Date.now()]);
    await later();
    expect(await outcomes(user)).toEqual([]);
    await sql`insert into library.deleted_song values (${gone})`.execute(relay.db);
    await relay.send(retryRelayNow, { userId: user, service: 'listenbrainz' });
    await vi.waitFor(async () => expect(await outcomes(user)).toEqual([[gone, 'dropped', 'the song is gone']]), WAIT);
    expect(relay.listenBrainz.titles(name)).toEqual([]);
  });

  it('ignored messages of Last.fm are noted with their reason', async () => {
    const { user, name } = await withLastfm();
    const [ignored, fine] = [await relay.song('Ignored'), await relay.song('Not ignored')];
    relay.lastfm.ignores.set('Ignored', 1);
    await record(user, [ignored, Date.now()], [fine, Date.now() + 1000]);
    await vi.waitFor(() => expect(relay.lastfm.titles(name)).toEqual(['Not ignored']), WAIT);
    await vi.waitFor(
      async () =>
        expect(await outcomes(user, 'lastfm')).toEqual([
          [ignored, 'ignored', 'artist ignored'],
          [fine, 'taken', null],
        ]),
      WAIT,
    );
  });
});

describe('an account', () => {
  it('is linked only when the service knows it', async () => {
    const user = await relay.account();
    await expect(relay.send(linkListenBrainz, { userId: user, token: 'nobodys' })).rejects.toMatchObject({ code: 'input.invalid' });
    const { token } = await relay.send(beginLastfmLink, { userId: user });
    await expect(relay.send(linkLastfm, { userId: user, token })).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('has not been allowed there yet'),
    });
    await expect(relay.send(linkLastfm, { userId: user, token: 'made up' })).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(relay.send(linkListenBrainz, { userId: userId.parse(99_999), token: 'x' })).rejects.toMatchObject({
      code: 'user.not-found',
    });
    expect(await linkOf(user)).toBeUndefined();
  });

  it.each([
    'http://127.0.0.1:9/',
    'http://169.254.169.254/',
    'http://localhost:8080',
    'file:///etc/passwd',
    'http://a:b@example.org/',
    'http://127.0.0.3/?x=1',
  ])('reaches no server at %s', async (address) => {
    const user = await relay.account();
    await expect(relay.send(linkListenBrainz, { userId: user, token: 'x', address })).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('may name a server of its own, however it is written down', async () => {
    const { user, name } = await withListenBrainz({ address: `${relay.listenBrainz.url}/apis/listenbrainz/1/submit-listens` });
    expect(await linkOf(user)).toMatchObject({ host: new URL(relay.listenBrainz.url).host });
    await record(user, [await relay.song('Own server'), Date.now()]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Own server']), WAIT);
    expect(relay.listenBrainz.asked.some(({ path }) => path === '/apis/listenbrainz/1/submit-listens')).toBe(true);
  });

  it('that is unlinked is told of to nobody, and begins anew when it is linked again', async () => {
    const { user, name } = await withListenBrainz();
    relay.listenBrainz.trouble = () => ({ status: 503 });
    await record(user, [await relay.song('Never told'), Date.now()]);
    await vi.waitFor(async () => expect(await linkOf(user)).toMatchObject({ state: 'waiting' }), WAIT);
    expect(await waitingPlays()).toBeGreaterThan(0);
    await relay.send(unlinkRelay, { userId: user, service: 'listenbrainz' });
    expect(await linkOf(user)).toBeUndefined();
    await vi.waitFor(async () => expect(await waitingPlays()).toBe(0), WAIT);
    // A turn that was due at this moment finds no link to take.
    const due = { user_id: user, service: 'listenbrainz', run: 1 } as const;
    const journal = new PostgresRelayJournal(relay.deps.db);
    expect(await journal.take(due, 1000)).toBeUndefined();
    // One that took it before the table knew of the unlinking, and has made its progress anew, asks before each request.
    const progress = await relay.deps.db
      .withTables<{ 'playback.relay_progress': RelayProgressTable }>()
      .insertInto('playback.relay_progress')
      .values({ ...due, holder: 'early', held_until_ms: 0, attempts: 0, taken: 0, playing_position: 0 })
      .onConflict((conflict) => conflict.columns(['user_id', 'service']).doUpdateSet({ holder: 'early', held_until_ms: 0 }))
      .returningAll()
      .executeTakeFirstOrThrow();
    await expect(journal.keep({ ...due, holder: 'early', progress }, 1000)).rejects.toThrow(LinkLost);
    // A request that was on its way comes to its end.
    await later();
    relay.listenBrainz.trouble = undefined;
    await record(user, [await relay.song('In between'), Date.now()]);
    await relay.send(linkListenBrainz, { userId: user, token: `token-of-${name}` });
    await record(user, [await relay.song('Anew'), Date.now() + 1000]);
    await vi.waitFor(() => expect(relay.listenBrainz.titles(name)).toEqual(['Anew']), WAIT);
  });

  it('keeps what proves it sealed, in the log and in the tables, and nobody is shown it', async () => {
    const { user, name } = await withListenBrainz();
    const { db, eventStore } = relay.deps;
    const log = await eventStore.read('playback', 'relay', user);
    const rows = await relay.db.selectFrom('playback.relay_link').selectAll().where('user_id', '=', user).execute();
    expect(db).toBeDefined();
    for (const kept of [log, rows, await relay.send(describeRelays, { userId: user })])
      expect(JSON.stringify(kept)).not.toContain(`token-of-${name}`);
    for (const kept of [log, rows]) expect(JSON.stringify(kept)).not.toContain(name);
  });
});

it('counts what it does', async () => {
  const texts = await Promise.all(relay.replicas.map(({ deps }) => deps.metrics.registry.metrics()));
  const text = texts.join('\n');
  for (const line of [
    /continuo_relay_plays_total\{[^}]*to="listenbrainz",outcome="taken"[^}]*\} [1-9]/,
    /continuo_relay_plays_total\{[^}]*to="lastfm",outcome="ignored"[^}]*\} 1/,
    /continuo_relay_requests_total\{[^}]*to="listenbrainz",kind="playing",outcome="taken"[^}]*\} [1-9]/,
    /continuo_relay_request_seconds_count\{[^}]*to="lastfm"[^}]*\} [1-9]/,
    /continuo_relay_links\{[^}]*to="listenbrainz",state="on"[^}]*\} [1-9]/,
  ])
    expect(text).toMatch(line);
});
