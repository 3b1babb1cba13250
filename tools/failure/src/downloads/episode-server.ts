import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the stand-in for a publisher listens: the one address that the services may reach. */
export const PUBLISHER = '127.0.0.2';
const PIECE_BYTES = 16_384;
const PIECE_MS = 20;
const KBPS = 320;
/** Pieces after which some of them lie on the receiver's disk. */
const UNDERWAY_PIECES = 16;

/** Sounds that encoders make large files of. @throws Error when ffmpeg is missing */
export const makeShows = async (folder: string, count: number, seconds: number): Promise<readonly Buffer[]> => {
  await mkdir(folder, { recursive: true });
  const shows: Buffer[] = [];
  for (let n = 1; n <= count; n += 1) {
    const noise = `anoisesrc=color=pink:seed=${n}:duration=${seconds}:sample_rate=44100`;
    const path = join(folder, `${n}.mp3`);
    await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', noise, '-ac', '2', '-b:a', `${KBPS}k`, path]);
    shows.push(await readFile(path));
  }
  return shows;
};

/** SHA-256 of a file. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Publishes a show per wave with the same episodes, and sends their files slowly, from wherever it is asked to begin. */
export class EpisodeServer {
  /** Bytes of episodes that were sent. */
  sentBytes = 0;
  /** Requests for a file, and those of them that went on where an earlier one stopped. */
  requests = 0;
  continued = 0;
  /** Files that are on their way now, of which a part has arrived. */
  underway = 0;

  private constructor(
    private readonly server: Server,
    private readonly shows: readonly Buffer[],
  ) {}

  static async start(shows: readonly Buffer[]): Promise<EpisodeServer> {
    const server = createServer();
    const publisher = new EpisodeServer(server, shows);
    server.on('request', (request, response) => void publisher.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, PUBLISHER, resolve));
    return publisher;
  }

  feedUrl(wave: number): string {
    return `http://${PUBLISHER}:${(this.server.address() as AddressInfo).port}/${wave}/feed`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  async #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, wave, name = ''] = url.split('/');
    if (name === 'feed') return void response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(this.#feed(wave ?? ''));
    const bytes = this.shows[Number(name.replace('.mp3', '')) - 1];
    if (!bytes) return void response.writeHead(404).end();
    const etag = `"${digestOf(bytes).slice(0, 16)}"`;
    const from = headers['if-range'] === etag ? Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0) : 0;
    this.requests += 1;
    if (from > 0) this.continued += 1;
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'audio/mpeg',
      etag,
      'content-length': bytes.length - from,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    let sent = 0;
    for (let at = from; at < bytes.length && !response.destroyed; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      response.write(piece);
      this.sentBytes += piece.length;
      sent += 1;
      if (sent === UNDERWAY_PIECES) this.underway += 1;
      await delay(PIECE_MS);
    }
    if (sent >= UNDERWAY_PIECES) this.underway -= 1;
    response.end();
  }

  #feed(wave: string): string {
    const items = this.shows.map((_, index) => {
      const name = index + 1;
      const date = new Date(Date.UTC(2026, 0, name)).toUTCString();
      return `<item><title>${name}</title><guid>${wave}-${name}</guid><pubDate>${date}</pubDate><enclosure url="/${wave}/${name}.mp3" type="audio/mpeg"/></item>`;
    });
    return `<rss><channel><title>Wave ${wave}</title>${items.join('')}</channel></rss>`;
  }
}
