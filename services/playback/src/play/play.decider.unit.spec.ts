import { specFor } from '@continuo/chassis/testkit';
import {
  mediaDownloaded,
  mediaPlayed,
  playbackStarted,
  playbackStopped,
  playsCleared,
  songId,
  songPlayed,
  songSkipped,
  userId,
  type PlayEvent,
} from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { plays, REMEMBERED_CLIENTS, type RecordPlays, type StartPlayback, type StopPlayback } from './play.decider.js';
import { REMEMBERED_LENGTHS, REMEMBERED_PLAYS } from './remembered-plays.js';

const user = userId.parse(7);
const play = (song: number, playedAtMs: number): RecordPlays['plays'][number] => ({
  songId: songId.parse(song),
  playedAtMs,
});
const played = (song: number, playedAtMs: number, client = 'web'): ReturnType<typeof songPlayed> =>
  songPlayed({ userId: user, client, ...play(song, playedAtMs) });
const record = (plays_: RecordPlays['plays'], client = 'web'): RecordPlays => ({
  type: 'record',
  userId: user,
  client,
  plays: plays_,
});

const { given } = specFor(plays);

const SONG_MS = 200_000;
const start = (song: number, startedAtMs: number, more: Partial<StartPlayback> = {}): StartPlayback => ({
  type: 'start',
  userId: user,
  client: 'web',
  objectType: 'song',
  objectId: song,
  startedAtMs,
  durationMs: SONG_MS,
  isNow: true,
  play: { skipWindowMs: 20_000 },
  ...more,
});
const playedNow = (song: number, playedAtMs: number, client = 'web'): PlayEvent =>
  songPlayed({
    userId: user,
    songId: songId.parse(song),
    playedAtMs,
    client,
    durationMs: SONG_MS,
    skipWindowMs: 20_000,
    playingUntilMs: playedAtMs + SONG_MS,
  });
const skipped = (song: number, playedAtMs: number, skippedAtMs: number): PlayEvent =>
  songSkipped({ userId: user, songId: songId.parse(song), playedAtMs, client: 'web', skippedAtMs });
const started = (song: number, startedAtMs: number, client = 'web'): PlayEvent =>
  playbackStarted({ userId: user, client, objectType: 'song', objectId: song, startedAtMs, playingUntilMs: startedAtMs + SONG_MS });
const stopped = (client = 'web'): PlayEvent => playbackStopped({ userId: user, client });

describe('plays', () => {
  it('records plays in the order given', () => {
    given([])
      .when(record([play(2, 2000), play(1, 1000)]))
      .then([played(2, 2000), played(1, 1000)]);
  });

  it('counts the same song by the same client at the same time once, also within one command', () => {
    given([played(1, 1000)])
      .when(record([play(1, 1000), play(2, 1000), play(2, 1000)]))
      .then([played(2, 1000)]);
  });

  it('counts another time and another client anew', () => {
    given([played(1, 1000)])
      .when(record([play(1, 1001)]))
      .then([played(1, 1001)]);
    given([played(1, 1000)])
      .when(record([play(1, 1000)], 'phone'))
      .then([played(1, 1000, 'phone')]);
  });

  it('does not confuse client names that look like keys', () => {
    given([played(1, 1000, '/web')])
      .when(record([play(1, 1000)], 'web'))
      .then([played(1, 1000)]);
  });

  it('says nothing when every play is known', () => {
    given([played(1, 1000), played(2, 1000)])
      .when(record([play(2, 1000), play(1, 1000)]))
      .then([]);
  });

  it('keeps its state bounded and recognises a whole list that is sent again', () => {
    const past = Array.from({ length: REMEMBERED_PLAYS + 500 }, (_, n) => played(1, n + 1));
    const state = past.reduce(plays.evolve, plays.initialState);
    expect(state.plays.fingerprints.length / 9).toBeGreaterThanOrEqual(REMEMBERED_PLAYS);
    expect(state.plays.fingerprints.length / 9).toBeLessThan(REMEMBERED_PLAYS * 1.2);
    const again = past.slice(-1000).map(({ data }) => ({ songId: data.songId, playedAtMs: data.playedAtMs }));
    expect(plays.decide(state, record(again))).toEqual([]);
  });

  it('skips events that it does not know', () => {
    const unknown = { type: 'SongHummed', v: 1, data: {} } as unknown as PlayEvent;
    expect(plays.evolve(plays.initialState, unknown)).toEqual(plays.initialState);
  });
});

describe('playing', () => {
  it('counts a play and shows it until the song ends', () => {
    given([])
      .when(start(1, 1000))
      .then([playedNow(1, 1000)]);
  });

  it('turns the play before into a skip when the next begins within its window, and not at its end', () => {
    given([playedNow(1, 1000)])
      .when(start(2, 20_999))
      .then([skipped(1, 1000, 20_999), playedNow(2, 20_999)]);
    given([playedNow(1, 1000)])
      .when(start(2, 21_000))
      .then([playedNow(2, 21_000)]);
  });

  it('skips nothing for who says what was played, and nothing skips that', () => {
    const said = (song: number, startedAtMs: number) => start(song, startedAtMs, { play: {} });
    const saidToBe = (song: number, playedAtMs: number): PlayEvent =>
      songPlayed({
        userId: user,
        songId: songId.parse(song),
        playedAtMs,
        client: 'web',
        durationMs: SONG_MS,
        playingUntilMs: playedAtMs + SONG_MS,
      });
    given([playedNow(1, 1000)])
      .when(said(2, 2000))
      .then([saidToBe(2, 2000)]);
    given([saidToBe(2, 2000)])
      .when(said(3, 2001))
      .then([saidToBe(3, 2001)]);
    given([saidToBe(2, 2000)])
      .when(start(3, 2001))
      .then([playedNow(3, 2001)]);
    // What has just begun is left behind by what begins after it, whatever was said in between.
    given([playedNow(1, 1000), saidToBe(2, 2000)])
      .when(start(3, 3000))
      .then([skipped(1, 1000, 3000), playedNow(3, 3000)]);
    given([playedNow(1, 1000)])
      .when(said(1, 2000))
      .then([]);
  });

  it('skips only what the same client played under way', () => {
    given([playedNow(1, 1000)])
      .when(start(2, 5000, { client: 'phone' }))
      .then([playedNow(2, 5000, 'phone')]);
    given([played(1, 1000)])
      .when(start(2, 5000))
      .then([playedNow(2, 5000)]);
  });

  it('skips what was under way, whatever was sent in meanwhile', () => {
    given([playedNow(1, 1000), played(5, 1000), played(6, 3000)])
      .when(start(2, 5000))
      .then([skipped(1, 1000, 5000), playedNow(2, 5000)]);
  });

  it('skips one play once', () => {
    given([playedNow(1, 1000), skipped(1, 1000, 5000), playedNow(2, 5000)])
      .when(start(3, 7000))
      .then([skipped(2, 5000, 7000), playedNow(3, 7000)]);
  });

  it('counts what was skipped when somebody goes back to it, and the same command once', () => {
    const forth = [playedNow(1, 1000), skipped(1, 1000, 4000), playedNow(2, 4000)];
    given(forth)
      .when(start(1, 8000))
      .then([skipped(2, 4000, 8000), playedNow(1, 8000)]);
    given([...forth, skipped(2, 4000, 8000), playedNow(1, 8000)])
      .when(start(1, 1000))
      .then([]);
    given([...forth, skipped(2, 4000, 8000), playedNow(1, 8000)])
      .when(start(1, 90_000))
      .then([started(1, 90_000)]);
  });

  it('skips what somebody leaves to go back to what counts already, once', () => {
    const back = [playedNow(1, 1000), playedNow(2, 31_000), skipped(2, 31_000, 35_000), started(1, 35_000)];
    given(back.slice(0, 2)).when(start(1, 35_000)).then(back.slice(2));
    given(back)
      .when(start(3, 40_000))
      .then([playedNow(3, 40_000)]);
    // Who only shows what plays has fetched nothing.
    given(back.slice(0, 2))
      .when(start(1, 35_000, { play: undefined }))
      .then([started(1, 35_000)]);
  });

  it('counts the same song again once it is over, whichever client says so', () => {
    given([playedNow(1, 1000)])
      .when(start(1, 3000))
      .then([]);
    given([playedNow(1, 1000)])
      .when(start(1, 90_000, { client: 'phone', isNow: false }))
      .then([]);
    given([playedNow(1, 1000)])
      .when(start(1, 1000 + SONG_MS))
      .then([playedNow(1, 1000 + SONG_MS)]);
    // A player whose clock is a little fast, or that leaves out the silence at the end.
    given([playedNow(1, 1000)])
      .when(start(1, SONG_MS - 3000))
      .then([playedNow(1, SONG_MS - 3000)]);
  });

  it('says nothing to the same command again', () => {
    given([playedNow(1, 1000), playedNow(2, 900_000)])
      .when(start(1, 1000, { isNow: false }))
      .then([]);
  });

  it('counts an earlier play without showing it', () => {
    const { playingUntilMs, ...earlier } = playedNow(2, 1000).data as ReturnType<typeof songPlayed>['data'];
    expect(playingUntilMs).toBe(1000 + SONG_MS);
    given([playedNow(1, 900_000)])
      .when(start(2, 1000))
      .then([songPlayed(earlier)]);
  });

  it('shows without counting, again only after another start', () => {
    const now = { play: undefined };
    given([])
      .when(start(1, 1000, now))
      .then([started(1, 1000)]);
    given([started(1, 1000)])
      .when(start(1, 3000, now))
      .then([]);
    given([started(1, 1000)])
      .when(start(1, 60_000, now))
      .then([started(1, 60_000)]);
  });

  it('stops what is playing, and nothing else', () => {
    const stop = { type: 'stop', userId: user, client: 'web', objectType: 'song', objectId: 1 } as const;
    given([playedNow(1, 1000)])
      .when(stop)
      .then([stopped()]);
    given([playedNow(1, 1000), stopped()])
      .when(stop)
      .then([]);
    given([playedNow(2, 1000)])
      .when(stop)
      .then([]);
  });

  it('forgets the client that was quiet the longest', () => {
    const many = Array.from({ length: REMEMBERED_CLIENTS }, (_, n) => started(1, n + 1, `client ${n}`));
    given(many)
      .when(start(2, 5000))
      .then([playedNow(2, 5000), stopped('client 0')]);
    expect([...many, playedNow(2, 5000)].reduce(plays.evolve, plays.initialState).clients).toHaveLength(REMEMBERED_CLIENTS);
  });
});

describe('what is said of the same song twice', () => {
  const lasting = (song: number, playedAtMs: number) => ({ ...play(song, playedAtMs), durationMs: SONG_MS });
  const recorded = (song: number, playedAtMs: number, client = 'web'): PlayEvent =>
    songPlayed({ userId: user, client, ...lasting(song, playedAtMs) });
  const stop = (song: number, startedAtMs?: number, client = 'web'): StopPlayback => ({
    type: 'stop',
    userId: user,
    client,
    objectType: 'song',
    objectId: song,
    heard: startedAtMs === undefined ? undefined : { startedAtMs, durationMs: SONG_MS },
  });

  it('is one play while the song lasts, before and after, by the same client', () => {
    given([recorded(1, 500_000)])
      .when(record([lasting(1, 320_000), lasting(1, 690_000), lasting(1, 300_000), lasting(1, 696_000)]))
      .then([recorded(1, 300_000), recorded(1, 696_000)]);
    given([recorded(1, 500_000)])
      .when(record([lasting(1, 510_000)], 'phone'))
      .then([recorded(1, 510_000, 'phone')]);
  });

  it('is one play in one list, too', () => {
    given([])
      .when(record([lasting(1, 1000), lasting(2, 2000), lasting(1, 3000)]))
      .then([recorded(1, 1000), recorded(2, 2000)]);
  });

  it('is one play when one says it by a stream, by a list, or at the end of a report', () => {
    given([playedNow(1, 1000)])
      .when(record([lasting(1, 4000)]))
      .then([]);
    given([recorded(1, 4000)])
      .when(stop(1, 1000))
      .then([]);
    given([recorded(1, 1000)])
      .when(start(1, 90_000))
      .then([started(1, 90_000)]);
    given([started(1, 1000)])
      .when(stop(1, 1000))
      .then([recorded(1, 1000), stopped()]);
    given([started(1, 1000), recorded(1, 1000), stopped()])
      .when(stop(1, 1000))
      .then([]);
  });

  it('counts what was heard out after something else has begun, which goes on', () => {
    given([started(1, 1000), started(2, 150_000)])
      .when(stop(1, 1000))
      .then([recorded(1, 1000)]);
  });

  it('is never a skip once it was heard out', () => {
    given([started(1, 1000), recorded(1, 1000)])
      .when(start(2, 2000))
      .then([playedNow(2, 2000)]);
  });

  it('knows a list that comes again without times, which are then later ones', () => {
    const list = (atMs: number) => Array.from({ length: REMEMBERED_LENGTHS }, (_, n) => lasting(n + 1, atMs));
    const state = plays.decide(plays.initialState, record(list(1000))).reduce(plays.evolve, plays.initialState);
    expect(plays.decide(state, record(list(31_000)))).toEqual([]);
    expect(plays.decide(state, record(list(231_000)))).toHaveLength(REMEMBERED_LENGTHS);
  });
});

describe('videos', () => {
  const video = (startedAtMs: number, more: Partial<StartPlayback> = {}) => start(7, startedAtMs, { objectType: 'video', ...more });
  const watched = (playedAtMs: number): PlayEvent =>
    mediaPlayed({
      userId: user,
      client: 'web',
      objectType: 'video',
      objectId: 7,
      playedAtMs,
      durationMs: SONG_MS,
      playingUntilMs: playedAtMs + SONG_MS,
    });
  it('count once while they last, and are not the song of the same number', () => {
    given([])
      .when(video(1000))
      .then([watched(1000)]);
    given([watched(1000)])
      .when(video(90_000, { isNow: false }))
      .then([]);
    given([watched(1000)])
      .when(start(7, 90_000))
      .then([playedNow(7, 90_000)]);
  });
  it('skip nothing and are not skipped', () => {
    given([playedNow(1, 1000)])
      .when(video(5000))
      .then([watched(5000)]);
    given([watched(1000)])
      .when(start(2, 5000))
      .then([playedNow(2, 5000)]);
  });
  it('count at the end of a report, and stop', () => {
    const stop = { type: 'stop', userId: user, client: 'web', objectType: 'video', objectId: 7 } as const;
    given([started(1, 1000), watched(1000)])
      .when(stop)
      .then([stopped()]);
    given([])
      .when({ ...stop, heard: { startedAtMs: 1000, durationMs: SONG_MS } })
      .then([mediaPlayed({ userId: user, client: 'web', objectType: 'video', objectId: 7, playedAtMs: 1000, durationMs: SONG_MS })]);
  });
});

describe('downloads', () => {
  const file = { userId: user, client: 'web', objectType: 'song', objectId: 7 } as const;
  const download = (downloadedAtMs: number, more: { client?: string; objectId?: number } = {}) =>
    ({ type: 'download', ...file, downloadedAtMs, ...more }) as const;
  const downloaded = (downloadedAtMs: number): PlayEvent => mediaDownloaded({ ...file, downloadedAtMs });
  it('count once, in however many parts they are fetched', () => {
    given([])
      .when(download(1000))
      .then([downloaded(1000)]);
    given([downloaded(1000)])
      .when(download(500_000))
      .then([]);
    given([downloaded(1000)])
      .when(download(601_000))
      .then([downloaded(601_000)]);
    given([downloaded(1000)])
      .when(download(2000, { client: 'phone' }))
      .then([mediaDownloaded({ ...file, client: 'phone', downloadedAtMs: 2000 })]);
  });
  it('are no plays', () => {
    given([downloaded(1000)])
      .when(start(7, 2000))
      .then([playedNow(7, 2000)]);
  });
});

describe('what was played', () => {
  it('is forgotten when there is something, and does not come back with a list that is sent again', () => {
    given([]).when({ type: 'clear', userId: user }).then([]);
    given([played(1, 1000)])
      .when({ type: 'clear', userId: user })
      .then([playsCleared({ userId: user })]);
    given([played(1, 1000), playsCleared({ userId: user })])
      .when(record([play(1, 1000), play(2, 2000)]))
      .then([played(2, 2000)]);
  });
});
