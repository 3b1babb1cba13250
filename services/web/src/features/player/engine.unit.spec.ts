import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeElements, type FakeAudio } from '../../../test/fake-audio.js';
import { PlayerEngine } from './engine.js';
import type { Track } from './track.js';

const track = (id: string, more: Partial<Track> = {}): Track => ({ id, url: `http://server/${id}`, gain: 1, durationS: 100, ...more });
const made = (id: string): Track => track(id, { urlFrom: (fromS) => `http://server/${id}?from=${fromS}` });

const setUp = () => {
  const { made: elements, newElement } = fakeElements();
  const told: unknown[] = [];
  const engine = new PlayerEngine(
    {
      onAdvance: (id) => told.push(['advance', id]),
      onEnd: () => told.push('end'),
      onFailure: (failure) => told.push(failure),
    },
    newElement,
  );
  const [one, two] = elements as [FakeAudio, FakeAudio];
  return { engine, told, one, two };
};

describe('player engine', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('plays a track from a position', async () => {
    const { engine, one } = setUp();
    await engine.play(track('a'), 30);
    expect(engine.playback()).toMatchObject({ state: 'loading', trackId: 'a', positionS: 30, durationS: 100 });
    one.arrive(99.5);
    expect(engine.playback()).toMatchObject({ state: 'playing', durationS: 99.5, bufferedS: 99.5 });
  });

  it('starts the prepared track in the other element when the first ends', async () => {
    const { engine, told, one, two } = setUp();
    await engine.play(track('a'));
    one.arrive(100);
    engine.prepare(track('b'));
    expect(two.src).toBe('http://server/b');
    one.end(100);
    await Promise.resolve();
    expect(told).toEqual([['advance', 'b']]);
    expect([two.paused, engine.playback().trackId]).toEqual([false, 'b']);
  });

  it('starts the next track where an exact one ends, unless it is moved or paused', async () => {
    const { engine, one, two } = setUp();
    await engine.play(track('a', { isExact: true }));
    one.arrive(100);
    engine.prepare(track('b'));
    one.reach(99.5);
    one.reach(99.98);
    vi.advanceTimersByTime(485);
    expect([one.paused, two.paused]).toEqual([false, false]);
    engine.seek(50);
    expect([one.currentTime, two.paused, two.currentTime]).toEqual([50, true, 0]);
    one.reach(99.5);
    engine.pause();
    vi.advanceTimersByTime(1000);
    expect(two.paused).toBe(true);
  });

  describe('with fades', () => {
    const ramps = vi.fn<(first: number, last: number, seconds: number) => void>();
    beforeEach(() => {
      const newGain = () => ({
        gain: {
          value: 1,
          cancelScheduledValues: vi.fn<() => void>(),
          setValueCurveAtTime: (curve: Float32Array, _at: number, seconds: number) => ramps(curve[0] ?? -1, curve.at(-1) ?? -1, seconds),
        },
        connect: () => undefined,
      });
      class FakeContext {
        currentTime = 0;
        state = 'running';
        createGain = newGain;
        createMediaElementSource = () => ({ connect: <T>(node: T) => node });
      }
      vi.stubGlobal('AudioContext', FakeContext);
      ramps.mockClear();
    });
    afterEach(() => vi.unstubAllGlobals());

    const fading = async () => {
      const world = setUp();
      await world.engine.play(track('a'));
      world.one.arrive(100);
      world.engine.prepare(track('b'), 6);
      world.two.arrive(100);
      world.one.reach(93.5);
      vi.advanceTimersByTime(500);
      return world;
    };

    it('plays both while one fades out and the other in, and then loads what comes next', async () => {
      const { engine, told, one, two } = await fading();
      expect([one.paused, two.paused, engine.playback().trackId, told]).toEqual([false, false, 'b', [['advance', 'b']]]);
      expect(ramps.mock.calls.map(([first, last]) => [Math.round(first), Math.round(last)])).toEqual([
        [1, 0],
        [0, 1],
      ]);
      engine.prepare(track('c'), 6);
      expect(one.src).toBe('http://server/a');
      vi.advanceTimersByTime(6500);
      expect([one.src, two.paused]).toEqual(['http://server/c', false]);
    });

    it('ends the fade at once when somebody pauses or goes elsewhere', async () => {
      const { engine, one, two } = await fading();
      engine.pause();
      expect([one.src, two.paused, engine.playback()]).toMatchObject(['', true, { trackId: 'b', state: 'paused' }]);
    });

    it('begins with the end of the song when the next one is not there in time', async () => {
      const { engine, told, one, two } = setUp();
      await engine.play(track('a'));
      one.arrive(100);
      engine.prepare(track('b'), 6);
      one.reach(94);
      vi.advanceTimersByTime(500);
      expect([two.paused, told]).toEqual([true, []]);
      one.end(100);
      expect(told).toEqual([['advance', 'b']]);
    });
  });

  it('uses what is prepared when it is asked for early, and silences the other', async () => {
    const { engine, one, two } = setUp();
    await engine.play(track('a'));
    engine.prepare(track('b'));
    two.arrive(100);
    await engine.play(track('b'));
    expect([one.src, one.paused, two.paused, engine.playback().state]).toEqual(['', true, false, 'playing']);
  });

  it('tells the end when nothing is prepared', async () => {
    const { engine, told, one } = setUp();
    await engine.play(track('a'));
    one.end(100);
    expect(told).toEqual(['end']);
    expect(engine.playback().state).toBe('empty');
  });

  it('is not moved by an event that comes late', async () => {
    const { engine, told, one } = setUp();
    await engine.play(track('a'));
    one.arrive(100);
    one.dispatchEvent(new Event('ended'));
    one.dispatchEvent(new Event('pause'));
    one.dispatchEvent(new Event('error'));
    expect(told).toEqual([]);
    expect(engine.playback().state).toBe('playing');
  });

  it('stays paused where the browser wants a click first', async () => {
    const { engine, one } = setUp();
    one.refusesSound = true;
    await engine.play(track('a'));
    expect(engine.playback().state).toBe('paused');
    one.refusesSound = false;
    await engine.resume();
    expect(engine.playback().state).toBe('loading');
  });

  it('stands where the sound broke off until the track is loaded again', async () => {
    const { engine, told, one } = setUp();
    await engine.play(track('a'));
    one.arrive(100);
    one.reach(42);
    one.fail(2);
    expect(told).toEqual([{ trackId: 'a', positionS: 42, kind: 'broken' }]);
    expect(engine.playback()).toMatchObject({ state: 'loading', trackId: 'a', positionS: 42 });
    engine.pause();
    expect(engine.playback().state).toBe('paused');
    engine.seek(50);
    expect(engine.playback().positionS).toBe(50);
    await engine.play(track('a'), 50);
    expect([one.src, one.currentTime, one.paused]).toEqual(['http://server/a', 50, false]);
  });

  it('takes a stream that brings nothing for broken, unless it is paused', async () => {
    const { engine, told, one } = setUp();
    await engine.play(track('a'));
    vi.advanceTimersByTime(15_000);
    one.dispatchEvent(new Event('progress'));
    vi.advanceTimersByTime(15_000);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(6000);
    expect(told).toMatchObject([{ kind: 'broken' }]);
    engine.load(track('b'));
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(1);
  });

  it('says what the browser refuses', async () => {
    const { engine, told, one } = setUp();
    await engine.play(track('a'));
    one.fail(4);
    expect(told).toEqual([{ trackId: 'a', positionS: 0, kind: 'refused' }]);
  });

  it('forgets a prepared track that fails', async () => {
    const { engine, told, one, two } = setUp();
    await engine.play(track('a'));
    engine.prepare(track('b'));
    two.fail(4);
    one.end(100);
    expect(told).toEqual(['end']);
  });

  it('goes to what is not made yet by another address, and shows the position in the whole', async () => {
    const { engine, one } = setUp();
    await engine.play(made('a'));
    one.arrive(10, false);
    expect(engine.playback().durationS).toBe(100);
    engine.seek(60);
    expect([one.src, one.paused]).toEqual(['http://server/a?from=60', false]);
    one.arrive(10, false);
    one.reach(2);
    expect(engine.playback()).toMatchObject({ positionS: 62, durationS: 100 });
    engine.seek(100);
    expect(one.src).toBe('http://server/a?from=99');
  });

  it('goes within a made stream that is there', async () => {
    const { engine, one } = setUp();
    await engine.play(made('a'));
    one.arrive(100);
    engine.seek(60);
    expect([one.src, one.currentTime]).toEqual(['http://server/a', 60]);
  });

  it.each([made('a'), track('a')])('takes a stream that ends long before its time for broken', async (cut) => {
    const { engine, told, one } = setUp();
    await engine.play(cut);
    one.arrive(100, false);
    one.end(50);
    expect(told).toEqual([{ trackId: 'a', positionS: 50, kind: 'early' }]);
  });

  it('never asks for more than full volume', async () => {
    const { engine, one } = setUp();
    await engine.play(track('a', { gain: 2 }));
    expect(one.volume).toBe(1);
    engine.setVolume(0.25);
    expect(one.volume).toBe(0.5);
  });

  it('tells watchers until they leave', async () => {
    const { engine } = setUp();
    const watcher = vi.fn<() => void>();
    const leave = engine.subscribe(watcher);
    engine.stop();
    leave();
    engine.stop();
    expect(watcher).toHaveBeenCalledTimes(1);
  });
});
