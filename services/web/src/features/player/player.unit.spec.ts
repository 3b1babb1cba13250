import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeElements, type FakeAudio } from '../../../test/fake-audio.js';
import type { Song } from '../../lib/api.js';
import { Player } from './player.js';

const song = (id: string, more: Partial<Song> = {}): Song =>
  ({
    id,
    title: `Song ${id}`,
    artist: { id: '1', name: 'Lumen' },
    album: { id: '1', name: 'Tides' },
    url: `http://server/play?oid=${id}`,
    art: '',
    time: 100,
    format: 'flac',
    mime: 'audio/flac',
    bitrate: 900_000,
    stream_format: 'flac',
    stream_mime: 'audio/flac',
    stream_bitrate: 900_000,
    replaygain_album_gain: null,
    replaygain_track_gain: null,
    r128_album_gain: null,
    r128_track_gain: null,
    replaygain_album_peak: null,
    replaygain_track_peak: null,
    ...more,
  }) as Song;

const album = { kind: 'album', id: '1' } as const;

/** A server with songs 0 to 9 in one album. */
const setUp = (
  kept: Readonly<Record<string, string>> = {},
  songs = (id: string): Song | undefined => song(id),
  needs: { readonly canSetVolume?: boolean } = {},
) => {
  const { made, newElement } = fakeElements();
  const stored = new Map(Object.entries(kept));
  const server = { isAway: false };
  const like: string[] = [];
  const answer = async (id: string): Promise<Song | undefined> => {
    if (server.isAway) throw new TypeError('Failed to fetch');
    return songs(id);
  };
  const player = new Player({
    catalog: { at: (_source, position) => answer(String(position)), song: answer, like: async () => like.map((id) => song(id)) },
    storage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) },
    canPlay: (mime) => mime !== 'audio/x-unknown',
    newElement,
    ...needs,
  });
  const playing = (): FakeAudio | undefined => made.find(({ paused }) => !paused);
  return { player, server, stored, playing, made, like };
};

/** Lets what was asked for be answered. */
const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('player', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('plays a list to its end', async () => {
    const { player, playing } = setUp();
    await player.playSource(album, { total: 2 });
    playing()?.arrive(100);
    await settle();
    playing()?.end(100);
    await settle();
    expect([player.state().queue.current?.id, player.engine.playback().trackId]).toEqual(['1', '1']);
    playing()?.end(100);
    await settle();
    expect(player.engine.playback().state).toBe('empty');
  });

  it('goes on with similar songs at the end of the queue, when it is to', async () => {
    const { player, like, playing } = setUp();
    like.push('7', '8');
    await player.playSource(album, { total: 1 });
    playing()?.arrive(100);
    player.setEndless(true);
    await settle();
    expect(player.state().queue.upNext.map(({ song: { id } }) => id)).toEqual(['7', '8']);
    playing()?.end(100);
    await settle();
    expect([player.state().queue.current?.id, player.state().queue.upNext.length]).toEqual(['7', 1]);
    await player.next();
    await settle();
    like.length = 0;
    await player.next();
    await player.next();
    await player.next();
    await settle();
    expect(player.engine.playback().state).toBe('empty');
  });

  it('fetches without counting a play', async () => {
    const { player, playing } = setUp();
    await player.playSource(album, { total: 2 });
    expect(playing()?.src).toBe('http://server/play?oid=0&cache=1');
  });

  it('goes on by itself at the same second when the server is back', async () => {
    const { player, server, playing } = setUp();
    await player.playSource(album, { total: 2 });
    const element = playing();
    element?.arrive(100);
    element?.reach(42);
    server.isAway = true;
    element?.fail(2);
    await settle(30_000);
    expect([player.state().isAway, player.engine.playback().state, player.engine.playback().positionS]).toEqual([true, 'loading', 42]);
    server.isAway = false;
    await settle(15_000);
    expect([player.state().isAway, playing()?.currentTime]).toEqual([false, 42]);
  });

  it('says within seconds that the server is away when a stream brings nothing, and waits for one that is only slow', async () => {
    const { player, server, playing } = setUp();
    await player.playSource(album, { total: 2 });
    await settle(10_000);
    expect([player.state().isAway, playing()?.src]).toEqual([false, 'http://server/play?oid=0&cache=1']);
    playing()?.arrive(100);
    playing()?.reach(30);
    server.isAway = true;
    player.engine.seek(60);
    const element = playing();
    if (element) element.readyState = 1;
    element?.dispatchEvent(new Event('waiting'));
    await settle(5000);
    expect([player.state().isAway, player.engine.playback().positionS]).toEqual([true, 60]);
    server.isAway = false;
    await settle(4000);
    expect([player.state().isAway, playing()?.currentTime]).toEqual([false, 60]);
  });

  it('waits for the next song when the server is away at the end of one', async () => {
    const { player, server, playing } = setUp();
    await player.playSource(album, { total: 3, position: 0 });
    playing()?.arrive(100);
    server.isAway = true;
    playing()?.end(100);
    await settle();
    playing()?.end(100);
    await settle(5000);
    expect(player.state().isAway).toBe(true);
    server.isAway = false;
    await settle(15_000);
    expect(player.engine.playback().trackId).toBe('2');
  });

  it('stays paused after the server was away when somebody has paused', async () => {
    const { player, playing } = setUp();
    await player.playSource(album, { total: 2 });
    const element = playing();
    element?.arrive(100);
    element?.fail(2);
    await player.toggle();
    await settle(1000);
    expect([playing(), player.engine.playback().state]).toEqual([undefined, 'paused']);
  });

  it('asks for another form of what the browser refuses, and for it at once when it refuses more of the kind', async () => {
    const { player, playing } = setUp();
    await player.playSource(album, { total: 9 });
    const refuse = async (): Promise<void> => {
      for (let at = 0; at < 2; at += 1) {
        playing()?.fail(4);
        await settle(1000);
      }
    };
    await refuse();
    expect(playing()?.src).toContain('format=opus');
    await player.next();
    await refuse();
    expect(playing()?.src).toContain('oid=1&cache=1&format=opus');
    await player.next();
    expect(playing()?.src).toContain('oid=2&cache=1&format=opus');
  });

  it('has the server make songs equally loud where no volume can be set, and does without where that fails', async () => {
    const loud = (id: string): Song => song(id, { replaygain_album_gain: -6, replaygain_track_gain: -6 });
    const { player, playing } = setUp({}, loud, { canSetVolume: false });
    await player.playSource(album, { total: 9 });
    expect(playing()?.src).toContain('oid=0&cache=1&format=flac&gain=-6.0');
    expect(player.formOf(loud('0'), 1)).toEqual({ reason: 'original' });
    player.setSound({ isEven: false });
    await settle();
    expect(playing()?.src).toMatch(/oid=0&cache=1$/);
    player.setSound({ isEven: true });
    await settle();
    for (let at = 0; at < 2; at += 1) {
      playing()?.fail(4);
      await settle(1000);
    }
    expect(playing()?.src).toMatch(/oid=0&cache=1$/);
    await player.next();
    expect(playing()?.src).toContain('gain=');
  });

  it('asks for another form of a type that the browser does not know', async () => {
    const { player, playing } = setUp({}, (id) => song(id, { format: 'ape', stream_format: 'ape', stream_mime: 'audio/x-unknown' }));
    await player.playSource(album, { total: 1 });
    expect(playing()?.src).toContain('format=flac');
  });

  it('says that a song cannot be played, and goes on; stops when none can', async () => {
    const { player } = setUp({}, (id) => (id === '0' ? undefined : song(id)));
    await player.playSource(album, { total: 2, position: 1 });
    await player.playIndex(0);
    expect(player.engine.playback().trackId).toBe('1');
    const none = setUp({}, () => undefined);
    await none.player.playSource(album, { total: 1000 });
    expect([none.player.engine.playback().state, none.player.state().queue.context?.index]).toEqual(['empty', 5]);
    player.enqueue([song('0')], 'next');
    await player.next();
    await settle();
    expect(player.state().failed?.id).toBe('0');
  });

  it('drops an answer that comes after something else was chosen', async () => {
    const { player } = setUp();
    const first = player.playSource(album, { total: 9, position: 3 });
    const second = player.playSource(album, { total: 9, position: 5 });
    await Promise.all([first, second]);
    expect([player.state().queue.current?.id, player.engine.playback().trackId]).toEqual(['5', '5']);
  });

  it('goes on by two when the next song is asked for twice at once', async () => {
    const { player } = setUp();
    await player.playSource(album, { total: 9 });
    await Promise.all([player.next(), player.next()]);
    expect([player.state().queue.current?.id, player.engine.playback().trackId]).toEqual(['2', '2']);
  });

  it('leaves no song out when one ends while the next is asked for', async () => {
    const { player, server, playing } = setUp();
    await player.playSource(album, { total: 9 });
    server.isAway = true;
    player.toggleShuffle();
    player.toggleShuffle();
    await settle();
    const next = player.next();
    playing()?.end(100);
    server.isAway = false;
    await settle(1000);
    await next;
    expect(player.engine.playback().trackId).toBe('1');
  });

  it('does not take what was prepared of another list', async () => {
    const { player } = setUp({}, (id) => song(id));
    await player.playSource(album, { total: 9, position: 0 });
    await settle();
    await player.playSource({ kind: 'album', id: '2' }, { total: 9, position: 1 });
    expect(player.state().queue.context?.source).toEqual({ kind: 'album', id: '2' });
  });

  it('clears what was chosen, and brings it back', async () => {
    const { player } = setUp();
    await player.playSource(album, { total: 1 });
    player.enqueue([song('7'), song('8')], 'last');
    const undo = player.clear();
    expect(player.state().queue.upNext).toEqual([]);
    undo();
    expect(player.state().queue.upNext.map(({ song: { id } }) => id)).toEqual(['7', '8']);
  });

  it('stops after this song, with the next one at hand', async () => {
    const { player, playing } = setUp();
    await player.playSource(album, { total: 2 });
    playing()?.arrive(100);
    player.setSleep('song');
    await settle();
    playing()?.end(100);
    await settle();
    expect([player.engine.playback().state, player.engine.playback().trackId, player.state().sleep]).toEqual(['paused', '1', 'off']);
  });

  it('stops after some minutes', async () => {
    const { player, playing } = setUp();
    await player.playSource(album, { total: 2 });
    playing()?.arrive(100);
    player.setSleep(15);
    await settle(14 * 60_000);
    expect(player.engine.playback().state).toBe('playing');
    await settle(60_000);
    expect([player.engine.playback().state, player.state().sleep]).toEqual(['paused', 'off']);
  });

  it('goes on in another quality at the same second', async () => {
    const { player, playing } = setUp();
    await player.playSource(album, { total: 1 });
    playing()?.arrive(100);
    playing()?.reach(30);
    player.setSound({ quality: 'opus-128' });
    await settle();
    expect(playing()?.src).toBe('http://server/play?oid=0&cache=1&format=opus&bitrate=128000&frame=30.00');
    expect(player.engine.playback().positionS).toBe(30);
  });

  it('takes up what an earlier visit has left', async () => {
    const before = setUp();
    await before.player.playSource(album, { total: 5, position: 2 });
    before.player.enqueue([song('7')], 'next');
    before.playing()?.arrive(100);
    before.playing()?.reach(33);
    before.player.savePosition();
    const after = setUp(Object.fromEntries(before.stored));
    await after.player.restore();
    expect(after.player.engine.playback()).toMatchObject({ state: 'paused', trackId: '2', positionS: 33 });
    expect(after.player.state().queue.upNext.map(({ song: { id } }) => id)).toEqual(['7']);
  });

  it('plays from where the song was left, also when that is asked for before it has been opened', async () => {
    const { player, playing } = setUp();
    const taking = player.takeUp({ ...player.state().queue, current: song('3') }, 33, 'load');
    await Promise.all([player.resume(), taking]);
    expect([player.engine.playback().trackId, playing()?.currentTime]).toEqual(['3', 33]);
  });

  it.each([
    '',
    'nonsense',
    '7',
    'null',
    '[]',
    '{}',
    '{"queue":7,"volume":"loud"}',
    '{"queue":{"current":{"id":1},"upNext":{},"context":{"total":-1}}}',
    '{"queue":{"context":{"source":{"kind":"tapes"},"total":3,"index":1}}}',
    '{"queue":{"upNext":[null,{"key":1}],"context":{"source":{}}},"volume":9}',
  ])('begins empty when what was kept is %s', async (text) => {
    const { player } = setUp({ 'continuo-queue': text, 'continuo-position': text });
    await player.restore();
    const { queue, volume } = player.state();
    expect([queue.current, queue.upNext, queue.context, volume]).toEqual([undefined, [], undefined, 1]);
  });
});
