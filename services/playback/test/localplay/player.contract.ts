import type { PlayerAction, PlayerItem } from '@continuo/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Player } from '../../src/localplay/player.js';

/** A player with an empty queue, and songs that it can play: each of at least half a minute. */
export interface PlayerUnderTest {
  readonly player: Player;
  /** The nth song, with a token of its own each time. */
  readonly song: (n: number) => PlayerItem;
  stop(): Promise<void>;
}

const TIME = { timeout: 8000, interval: 50 };
const ALL = { offset: 0, limit: 1000 };

/** Contract test of every {@link Player}. */
export const playerContract = (name: string, start: () => Promise<PlayerUnderTest>): void => {
  describe(`${name} as a player`, () => {
    let under: PlayerUnderTest;
    beforeEach(async () => {
      under = await start();
    });
    afterEach(() => under.stop());

    const control = (action: PlayerAction) => under.player.control(action);
    const songs = (...numbers: number[]): PlayerItem[] => numbers.map(under.song);
    const add = (...numbers: number[]) => control({ type: 'add', items: songs(...numbers), isInstead: false });
    const status = async () => (await under.player.read({ offset: 0, limit: 0 })).status;
    const queue = async () => (await under.player.read(ALL)).entries.map(({ title }) => title);
    const titles = (...numbers: number[]) => songs(...numbers).map(({ title }) => title);
    const playing = async (n: number) => {
      await expect.poll(async () => (await status()).positionMs, TIME).toBeGreaterThan(0);
      expect(await status()).toMatchObject({ state: 'play', current: { title: under.song(n).title } });
    };

    it('begins with nothing', async () => {
      expect(await status()).toMatchObject({ state: 'stop', length: 0, index: null, positionMs: 0, current: null });
      expect(await queue()).toEqual([]);
      expect((await control({ type: 'skip', index: 0, offsetMs: 0 })).isAccepted).toBe(false);
      expect((await control({ type: 'remove', index: 0 })).isAccepted).toBe(false);
      expect((await control({ type: 'next' })).isAccepted).toBe(false);
      for (const type of ['play', 'stop', 'pause', 'clear', 'shuffle'] as const)
        expect(await control({ type })).toMatchObject({ isAccepted: true });
    });

    it('queues things under their names, behind what is there or in its place, and tells them in parts', async () => {
      expect(await add(1, 2)).toMatchObject({ isAccepted: true, status: { state: 'stop', length: 2, index: 0 } });
      await add(3);
      const { entries } = await under.player.read({ offset: 1, limit: 1 });
      const { title, artist, album } = under.song(2);
      expect(entries).toMatchObject([{ title, artist, album }]);
      expect(entries[0]?.url).toContain('/2.wav');
      expect(await queue()).toEqual(titles(1, 2, 3));
      expect((await under.player.read({ offset: 9, limit: 5 })).entries).toEqual([]);
      await control({ type: 'add', items: songs(4), isInstead: true });
      expect(await queue()).toEqual(titles(4));
    });

    it('plays, goes on and back, stops', async () => {
      await add(1, 2, 3);
      expect((await control({ type: 'play' })).isAccepted).toBe(true);
      await playing(1);
      const before = (await status()).positionMs;
      await expect.poll(async () => (await status()).positionMs, TIME).toBeGreaterThan(before);
      expect(await control({ type: 'next' })).toMatchObject({ isAccepted: true, status: { index: 1 } });
      await playing(2);
      expect(await control({ type: 'previous' })).toMatchObject({ isAccepted: true, status: { index: 0 } });
      await playing(1);
      expect(await control({ type: 'stop' })).toMatchObject({ isAccepted: true, status: { state: 'stop', positionMs: 0, length: 3 } });
    });

    it('pauses, however often it is told to, and goes on from there', async () => {
      await add(1);
      await control({ type: 'play' });
      await playing(1);
      await control({ type: 'pause' });
      const { status: paused } = await control({ type: 'pause' });
      expect(paused.state).toBe('pause');
      expect((await status()).positionMs).toBe(paused.positionMs);
      expect((await control({ type: 'play' })).status.state).toBe('play');
      expect((await status()).positionMs).toBeGreaterThanOrEqual(paused.positionMs);
    });

    it('plays an entry from an instant on', async () => {
      await add(1, 2);
      const { isAccepted, status: now } = await control({ type: 'skip', index: 1, offsetMs: 12_000 });
      expect(isAccepted).toBe(true);
      expect(now).toMatchObject({ state: 'play', index: 1 });
      expect(now.positionMs).toBeGreaterThanOrEqual(11_900);
      expect((await control({ type: 'skip', index: 0, offsetMs: 0 })).status).toMatchObject({ state: 'play', index: 0 });
      expect((await control({ type: 'skip', index: 2, offsetMs: 0 })).isAccepted).toBe(false);
      expect((await control({ type: 'skip', index: 2, offsetMs: 500 })).isAccepted).toBe(false);
    });

    it('takes entries away, all of them too', async () => {
      await add(1, 2, 3);
      expect((await control({ type: 'remove', index: 1 })).isAccepted).toBe(true);
      expect(await queue()).toEqual(titles(1, 3));
      expect((await control({ type: 'remove', index: 2 })).isAccepted).toBe(false);
      await control({ type: 'play' });
      expect(await control({ type: 'clear' })).toMatchObject({ isAccepted: true, status: { state: 'stop', length: 0, index: null } });
    });

    it('puts something else in the place of an entry', async () => {
      await add(1, 2, 3);
      await control({ type: 'skip', index: 1, offsetMs: 0 });
      await playing(2);
      expect((await control({ type: 'substitute', index: 1, item: under.song(5) })).isAccepted).toBe(true);
      expect(await queue()).toEqual(titles(1, 5, 3));
      expect((await control({ type: 'skip', index: 1, offsetMs: 0 })).status).toMatchObject({ index: 1, length: 3 });
      await playing(5);
      expect((await control({ type: 'substitute', index: 3, item: under.song(4) })).isAccepted).toBe(false);
      expect(await queue()).toEqual(titles(1, 5, 3));
    });

    it('brings the queue into another order', async () => {
      await add(1, 2, 3, 4);
      expect((await control({ type: 'shuffle' })).isAccepted).toBe(true);
      expect((await queue()).toSorted()).toEqual(titles(1, 2, 3, 4));
    });

    it('is as loud as it is told to be', async () => {
      expect((await control({ type: 'volume', percent: 40 })).status.volumePercent).toBe(40);
      expect((await control({ type: 'volume-by', percent: 5 })).status.volumePercent).toBe(45);
      expect((await control({ type: 'volume-by', percent: -100 })).status.volumePercent).toBe(0);
      expect((await control({ type: 'volume', percent: 100 })).status.volumePercent).toBe(100);
      expect((await control({ type: 'volume-by', percent: 5 })).status.volumePercent).toBe(100);
    });

    describe('when the queue is replaced', () => {
      it('just has another one while nothing plays', async () => {
        await add(1, 2);
        await control({ type: 'replace', items: songs(3, 4) });
        expect(await queue()).toEqual(titles(3, 4));
        expect(await status()).toMatchObject({ state: 'stop', index: 0 });
      });

      it('goes on with what plays, in its new place', async () => {
        await add(1, 2, 3);
        await control({ type: 'skip', index: 1, offsetMs: 10_000 });
        const { status: now } = await control({ type: 'replace', items: songs(5, 4, 2, 6) });
        expect(await queue()).toEqual(titles(5, 4, 2, 6));
        expect(now).toMatchObject({ state: 'play', index: 2, length: 4, current: { title: under.song(2).title } });
        expect(now.positionMs).toBeGreaterThanOrEqual(9900);
      });

      it('goes on with what plays although it is no longer queued, and forgets it afterwards', async () => {
        await add(1, 2);
        await control({ type: 'skip', index: 0, offsetMs: 10_000 });
        const { status: now } = await control({ type: 'replace', items: songs(3, 4) });
        expect(await queue()).toEqual(titles(3, 4));
        expect(now).toMatchObject({ state: 'play', index: 0, length: 2, current: { title: under.song(1).title } });
        expect(now.positionMs).toBeGreaterThanOrEqual(9900);
        await control({ type: 'remove', index: 0 });
        await add(5);
        expect(await queue()).toEqual(titles(4, 5));
        await control({ type: 'skip', index: 1, offsetMs: 0 });
        await playing(5);
        expect(await status()).toMatchObject({ index: 1, length: 2 });
        expect(await queue()).toEqual(titles(4, 5));
      });
    });

    it('takes names as they are, whatever is in them', async () => {
      const title = 'a "quoted" \\ back\\\\slash\nclear\r\nstop\0\u2028 – ünï 🎵 # {}';
      await control({ type: 'add', items: [{ ...under.song(1), title, artist: '"', album: '\\' }], isInstead: false });
      await add(2);
      const { entries } = await under.player.read(ALL);
      expect(entries).toHaveLength(2);
      expect(entries[0]?.title).toContain('a "quoted" \\ back\\\\slash');
      expect(entries[0]).toMatchObject({ artist: '"', album: '\\' });
    });
  });
};
