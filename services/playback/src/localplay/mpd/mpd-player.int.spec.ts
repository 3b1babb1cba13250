import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { locateMpd, testMpd, type TestMpd } from '@continuo/local-servers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { playerContract } from '../../../test/localplay/player.contract.js';
import { mpdPlayer } from './mpd-player.adapter.js';

const hasMpd = locateMpd() !== undefined;
const READ = { offset: 0, limit: 10 };
const SONG_SECONDS = 40;
const RATE = 8000;

const portOf = (server: Server | undefined): number => (server?.address() as AddressInfo | undefined)?.port ?? 0;

/** Silence: 8 bit, mono. */
const wave = (): Buffer => {
  const samples = Buffer.alloc(SONG_SECONDS * RATE, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  for (const [value, at, size] of [
    [16, 16, 4],
    [1, 20, 2],
    [1, 22, 2],
    [RATE, 24, 4],
    [RATE, 28, 4],
    [1, 32, 2],
    [8, 34, 2],
  ] as const)
    head.writeUIntLE(value, at, size);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
};

/** Sends the same silence under every address, with ranges. */
const startMediaServer = async (): Promise<{ url: string; stop: () => void }> => {
  const bytes = wave();
  const server = createHttpServer(({ headers: { range } }, response) => {
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
    const part = bytes.subarray(from);
    const length = { 'content-type': 'audio/wav', 'accept-ranges': 'bytes', 'content-length': part.length };
    response.writeHead(
      range ? 206 : 200,
      range ? { ...length, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : length,
    );
    response.end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close().closeAllConnections() };
};

it.skipIf(hasMpd)('is NOT tested against MPD: there is no mpd on this machine ("apt-get install mpd", or MPD_BIN)', () => undefined);

describe.skipIf(!hasMpd)('MPD', () => {
  let media: Awaited<ReturnType<typeof startMediaServer>>;
  let token = 0;
  beforeAll(async () => {
    media = await startMediaServer();
  });
  afterAll(() => media.stop());

  playerContract('a real mpd', async () => {
    const mpd = await testMpd();
    return {
      player: mpdPlayer({ ...mpd, timeoutMs: 3000 }),
      song: (n) => ({
        url: `${media.url}/${n}.wav?ssid=${(token += 1)}&oid=${n}`,
        title: `song ${n}`,
        artist: `artist ${n}`,
        album: 'album',
      }),
      stop: mpd.stop,
    };
  });

  describe('with a password', () => {
    let mpd: TestMpd;
    beforeAll(async () => {
      mpd = await testMpd({ password: 'open "sesame" \\' });
    });
    afterAll(() => mpd.stop());

    it('lets in who knows it', async () => {
      const player = mpdPlayer({ ...mpd, password: 'open "sesame" \\', timeoutMs: 3000 });
      expect((await player.read(READ)).status.state).toBe('stop');
    });
    it.each([['wrong'], [undefined]])('says so to who does not: %s', async (password) => {
      const player = mpdPlayer({ ...mpd, password, timeoutMs: 3000 });
      const said = password === undefined ? /permission/ : /does not take the password/;
      await expect(player.read(READ)).rejects.toMatchObject({ code: 'player.unreachable', message: expect.stringMatching(said) as string });
    });
  });

  it('plays what it may not keep the names of', async () => {
    const mpd = await testMpd({ tags: 'Title' });
    const player = mpdPlayer({ ...mpd, timeoutMs: 3000 });
    const items = [1, 2].map((n) => ({ url: `${media.url}/${n}.wav`, title: `song ${n}`, artist: 'somebody', album: 'something' }));
    expect((await player.control({ type: 'add', items, isInstead: false })).isAccepted).toBe(true);
    expect((await player.read(READ)).entries).toMatchObject([
      { title: 'song 1', artist: '' },
      { title: 'song 2', artist: '' },
    ]);
    await mpd.stop();
  });

  it('is asked anew after it was started anew', async () => {
    const first = await testMpd();
    const player = mpdPlayer({ ...first, timeoutMs: 3000 });
    await player.control({ type: 'play' });
    await first.stop();
    await expect(player.control({ type: 'play' })).rejects.toMatchObject({ code: 'player.unreachable' });
    const second = await testMpd({ port: first.port });
    expect((await player.control({ type: 'play' })).isAccepted).toBe(true);
    await second.stop();
  });
});

describe('something that is no MPD', () => {
  let server: Server | undefined;
  const sockets: Socket[] = [];
  const playerOver = async (greet: (socket: Socket) => void) => {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      greet(socket);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return mpdPlayer({ host: '127.0.0.1', port: portOf(server), timeoutMs: 300 });
  };
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
  });

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['closes at once', (socket) => socket.end()],
    ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['stops in the middle', (socket) => socket.write('OK MPD 0.23.5\nvolume: 3')],
    ['babbles without end', (socket) => socket.write('x'.repeat(1_000_000))],
    ['answers nonsense', (socket) => socket.write('OK MPD 0.23.5\n\u0000\u0001\nnonsense\n')],
  ])('which %s is told as such', async (_, greet) => {
    const player = await playerOver(greet);
    await expect(player.read(READ)).rejects.toMatchObject({ code: 'player.unreachable' });
  });

  it('is not there at all', async () => {
    await playerOver(() => undefined);
    const port = portOf(server);
    await new Promise((resolve) => server?.close(resolve));
    await expect(mpdPlayer({ host: '127.0.0.1', port, timeoutMs: 300 }).read(READ)).rejects.toMatchObject({ code: 'player.unreachable' });
    await expect(mpdPlayer({ host: '/no/such/socket', port: 1, timeoutMs: 300 }).read(READ)).rejects.toMatchObject({
      code: 'player.unreachable',
    });
  });
});
