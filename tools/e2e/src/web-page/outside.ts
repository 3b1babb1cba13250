import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Address that stands for the internet. */
export const OUTSIDE = '127.0.0.2';

const EPISODES = 3;
const TITLE = "StreamTitle='The Harbour - Tides';";
const ICY_INTERVAL = 4096;
const BLOCK = 16;

/** Sound with a title after each interval, as stations send it. */
const withTitles = (sound: Buffer): Buffer => {
  const blocks = Math.ceil(TITLE.length / BLOCK);
  const title = Buffer.concat([Buffer.from([blocks]), Buffer.from(TITLE.padEnd(blocks * BLOCK, '\0'))]);
  const pieces: Buffer[] = [];
  for (let at = 0; at + ICY_INTERVAL < sound.length; at += ICY_INTERVAL) pieces.push(sound.subarray(at, at + ICY_INTERVAL), title);
  return Buffer.concat(pieces);
};

/** A publisher of a podcast and a radio station. */
export class Outside {
  private constructor(
    private readonly server: Server,
    private readonly sound: Buffer,
  ) {}

  /** Starts it. @param file the sound of every episode and of the station, WAV */
  static async start(file: string): Promise<Outside> {
    const outside = new Outside(createServer(), await readFile(file));
    outside.server.on('request', (request: IncomingMessage, response: ServerResponse) => outside.answer(request, response));
    await new Promise<void>((resolve) => outside.server.listen(0, OUTSIDE, resolve));
    return outside;
  }

  get url(): string {
    return `http://${OUTSIDE}:${(this.server.address() as AddressInfo).port}`;
  }

  end(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    if (url === '/feed') response.end(this.feed());
    else if (url === '/station' && headers['icy-metadata'] === '1')
      response.writeHead(200, { 'icy-metaint': String(ICY_INTERVAL) }).write(withTitles(this.sound));
    else if (url === '/station') response.writeHead(200, { 'content-type': 'audio/wav' }).write(this.sound);
    else this.send(headers.range, response);
  }

  private feed(): string {
    const items = Array.from({ length: EPISODES }, (_, at) => {
      const name = `Episode ${EPISODES - at}`;
      const published = new Date(Date.UTC(2026, 0, EPISODES - at)).toUTCString();
      return `<item><title>${name}</title><guid>${name}</guid><pubDate>${published}</pubDate><enclosure url="${this.url}/${EPISODES - at}.wav" type="audio/wav"/></item>`;
    });
    return `<rss><channel><title>Garden and Talk</title><description>What grows</description>${items.join('')}</channel></rss>`;
  }

  private send(range: string | undefined, response: ServerResponse): void {
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = to ? Number(to) : this.sound.length - 1;
    const common = { 'content-type': 'audio/wav', 'accept-ranges': 'bytes', 'content-length': end - start + 1 };
    if (from === undefined) response.writeHead(200, common);
    else response.writeHead(206, { ...common, 'content-range': `bytes ${start}-${end}/${this.sound.length}` });
    response.end(this.sound.subarray(start, end + 1));
  }
}
