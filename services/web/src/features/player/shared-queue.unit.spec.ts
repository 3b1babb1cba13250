import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeElements } from '../../../test/fake-audio.js';
import type { Song } from '../../lib/api.js';
import { Player } from './player.js';
import { SharedQueue } from './shared-queue.js';

const song = (id: string): Song =>
  ({
    id,
    title: `Song ${id}`,
    artist: { id: '1', name: 'Lumen' },
    album: { id: '1', name: 'Tides' },
    url: `http://server/play?oid=${id}`,
    art: '',
    time: 100,
    format: 'flac',
    stream_format: 'flac',
    stream_mime: 'audio/flac',
    bitrate: 900_000,
    stream_bitrate: 900_000,
  }) as Song;

const album = { kind: 'album', id: '1' } as const;

/** The queue at the server, and devices that share it. */
const setUp = () => {
  const server = {
    position_ms: 0,
    update_ms: 0,
    client: 'Web',
    context: null as string | null,
    song: [] as Song[],
    isAway: false,
    reads: 0,
    writes: 0,
    answers: Promise.resolve(),
  };
  const devices: SharedQueue[] = [];
  const open = (stored = new Map<string, string>()) => {
    const { made, newElement } = fakeElements();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    };
    const find = async (id: string): Promise<Song> => song(id);
    const player = new Player({
      catalog: { at: (_source, position) => find(String(position)), song: find, like: async () => [] },
      storage,
      canPlay: () => true,
      newElement,
    });
    const troubles: unknown[] = [];
    const queue = new SharedQueue(player, {
      storage,
      read: async (limit) => {
        server.reads += 1;
        await server.answers;
        return { ...server, song: server.song.slice(0, limit) };
      },
      write: async ({ songs, position_ms: positionMs, context }) => {
        server.writes += 1;
        if (server.isAway) throw new TypeError('Failed to fetch');
        Object.assign(server, { song: songs.split(',').map(song), position_ms: Number(positionMs), context, update_ms: Date.now() });
        for (const one of devices) one.note();
      },
      onTrouble: (error) => troubles.push(error),
    });
    const opened = queue.start().then(() => devices.push(queue));
    const playing = () => made.find(({ paused }) => !paused);
    return { id: () => stored.get('continuo-device'), player, queue, troubles, playing, opened };
  };
  const device = async (stored?: Map<string, string>) => {
    const one = open(stored);
    await one.opened;
    return one;
  };
  return { server, open, device };
};

const settle = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('a shared queue', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('navigator', { userAgent: 'Chrome/1 Linux', vendor: '' });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  /** A desk that plays the second song at 20 s, and a phone. */
  const deskAndPhone = async () => {
    const world = setUp();
    const [desk, phone] = [await world.device(), await world.device()];
    await desk.player.playSource(album, { total: 9, position: 1 });
    desk.playing()?.arrive(100);
    desk.playing()?.reach(20);
    await settle(2000);
    return { ...world, desk, phone };
  };

  it('keeps which songs wait for the end of an album', async () => {
    const { device } = setUp();
    const desk = await device();
    await desk.player.playSource(album, { total: 9, position: 1 });
    desk.player.enqueue([song('30')], { afterIndex: 4 });
    desk.player.enqueue([song('40')], 'last');
    await settle(2000);
    desk.player.engine.pause();
    await settle(2000);
    const phone = await device();
    expect(phone.player.state().queue.upNext).toMatchObject([{ song: { id: '40' } }, { song: { id: '30' }, afterIndex: 4 }]);
    expect(phone.player.state().queue.upNext[0]).not.toHaveProperty('afterIndex');
  });

  it('shows what another device plays, with one read for each change', async () => {
    const { server, desk, phone } = await deskAndPhone();
    expect(phone.queue.remote()).toMatchObject({ deviceName: 'Chrome, Linux', plays: true, song: { id: '1' } });
    expect(phone.player.state().queue.current?.id).toBe('1');
    expect(desk.queue.remote()).toBeUndefined();
    // Opening the song would be work for the server that nobody hears.
    expect(phone.player.engine.playback().state).toBe('empty');
    server.reads = 0;
    phone.queue.note();
    server.update_ms += 1;
    await settle(1000);
    expect(server.reads).toBe(1);
  });

  it.each(['while its page opens', 'while it looks at what another has changed'])(
    'keeps and tells a song that is chosen and paused %s',
    async (when) => {
      const { server, open, device } = setUp();
      const desk = await device();
      await desk.player.playSource(album, { total: 9, position: 1 });
      await settle(2000);
      desk.player.engine.pause();
      await settle(2000);
      const answer = Promise.withResolvers<void>();
      if (when === 'while its page opens') server.answers = answer.promise;
      const phone = open();
      if (when !== 'while its page opens') {
        await phone.opened;
        server.answers = answer.promise;
        phone.queue.note();
        await settle(200);
      }
      await phone.player.playSource(album, { total: 9, position: 5 });
      phone.playing()?.arrive(100);
      phone.player.engine.pause();
      server.answers = Promise.resolve();
      answer.resolve();
      await phone.opened;
      await settle(2000);
      expect([phone.player.state().queue.current?.id, server.song[0]?.id]).toEqual(['5', '5']);
    },
  );

  it('tells the position again once the sound has begun', async () => {
    const { server, device } = setUp();
    const desk = await device();
    await desk.player.playSource(album, { total: 9 });
    await settle(2000);
    expect(server.position_ms).toBe(0);
    desk.playing()?.arrive(100);
    desk.playing()?.reach(3);
    await settle(1000);
    expect(server.position_ms).toBe(3000);
  });

  it('steers the device that plays: pause, go on, next, place', async () => {
    const { desk, phone } = await deskAndPhone();
    await phone.queue.steer({ action: 'pause' });
    await settle(3000);
    expect([desk.player.engine.playback().state, phone.queue.remote()?.plays]).toEqual(['paused', false]);
    await phone.queue.steer({ action: 'resume' });
    await settle(3000);
    expect([desk.playing() !== undefined, phone.queue.remote()?.plays]).toEqual([true, true]);
    await phone.queue.steer({ action: 'seek', positionS: 70 });
    await settle(3000);
    expect([desk.player.engine.playback().positionS, Math.floor(phone.queue.remote()?.positionS ?? 0)]).toEqual([70, 70]);
    await phone.queue.steer({ action: 'next' });
    await settle(3000);
    expect([desk.player.state().queue.current?.id, phone.queue.remote()?.song.id, phone.playing()]).toEqual(['2', '2', undefined]);
  });

  it('goes on at the place that was asked for, when the sound is moved here before the other device has told it', async () => {
    const { phone } = await deskAndPhone();
    await phone.queue.steer({ action: 'seek', positionS: 70 });
    await phone.queue.moveHere();
    phone.playing()?.arrive(100);
    await settle(100);
    expect(Math.floor(phone.player.engine.playback().positionS)).toBe(70);
  });

  it('lets the device that plays follow what is changed in its queue here', async () => {
    const { server, desk, phone } = await deskAndPhone();
    phone.player.toggleRepeat();
    phone.player.enqueue([song('7')], 'next');
    await settle(4000);
    const { queue } = desk.player.state();
    expect([queue.repeat, queue.current?.id, queue.upNext.map((entry) => entry.song.id)]).toEqual(['all', '1', ['7']]);
    expect(JSON.parse(server.context ?? '{}')).toMatchObject({ device: desk.id(), plays: true });
    expect([phone.queue.remote()?.plays, desk.playing()?.currentTime]).toEqual([true, 20]);
  });

  it('forgets a device that was paused from here when its page is left, or tells nothing for ten minutes', async () => {
    const { desk, phone } = await deskAndPhone();
    await phone.queue.steer({ action: 'pause' });
    await settle(3000);
    expect(phone.queue.remote()?.plays).toBe(false);
    desk.queue.leave();
    await settle(1000);
    expect(phone.queue.remote()).toBeUndefined();
    await desk.player.resume();
    await settle(3000);
    await phone.queue.steer({ action: 'pause' });
    await settle(60_000);
    expect(phone.queue.remote()?.plays).toBe(false);
    await settle(600_000);
    expect(phone.queue.remote()).toBeUndefined();
  });

  it('moves the sound here, also when the other device was about to tell something', async () => {
    const { server, desk, phone } = await deskAndPhone();
    desk.player.engine.seek(60);
    await phone.queue.moveHere();
    phone.playing()?.arrive(100);
    await settle(6000);
    expect([desk.playing(), phone.playing()?.paused]).toEqual([undefined, false]);
    const { device } = JSON.parse(server.context ?? '{}') as { device?: string };
    expect([device, server.song[0]?.id]).toEqual([phone.id(), '1']);
  });

  it('goes on where a device that tells nothing any more had got to', async () => {
    const { server, phone } = await deskAndPhone();
    server.isAway = true;
    await settle(60_000);
    expect(phone.queue.remote()).toBeUndefined();
    await phone.player.resume();
    expect(phone.player.engine.playback()).toMatchObject({ trackId: '1', state: 'loading' });
    expect(Math.floor(phone.player.engine.playback().positionS)).toBeGreaterThanOrEqual(20);
  });

  it('does not obey a command from before the page was opened', async () => {
    const { server, device } = setUp();
    const command = { action: 'next', sentAtMs: 1 };
    server.context = JSON.stringify({ device: '7', command });
    const desk = await device(new Map([['continuo-device', '7']]));
    await desk.player.playSource(album, { total: 9, position: 3 });
    await desk.queue.look();
    expect(desk.player.state().queue.current?.id).toBe('3');
    server.context = JSON.stringify({ device: '7', command: { ...command, sentAtMs: 2 } });
    await desk.queue.look();
    await settle(0);
    expect(desk.player.state().queue.current?.id).toBe('4');
  });

  it('tries again after some seconds what the server did not take', async () => {
    const { server, desk } = await deskAndPhone();
    server.isAway = true;
    server.writes = 0;
    await desk.player.next();
    await settle(4000);
    expect([server.writes, desk.troubles.length]).toEqual([1, 1]);
    server.isAway = false;
    await settle(4000);
    expect([server.writes, server.song[0]?.id]).toEqual([2, '2']);
  });
});
