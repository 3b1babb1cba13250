import { createServer } from 'node:http';

/** A web server on this machine that nobody may be led to ask: whoever comes was sent by a request of the campaign. */
export interface Trap {
  /** Addresses of it, in spellings that a careless check lets pass. */
  readonly addresses: readonly string[];
  /** Requests that came, as method, path and the program that sent them. */
  readonly caught: readonly string[];
  close(): Promise<void>;
}

const LOOPBACK_AS_NUMBER = 2_130_706_433;

/** Opens the trap. */
export const openTrap = async (): Promise<Trap> => {
  const caught: string[] = [];
  const server = createServer((request, response) => {
    caught.push(`${request.method} ${request.url} (${request.headers['user-agent'] ?? ''})`);
    response.end('<rss version="2.0"><channel><title>trap</title></channel></rss>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const hosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', String(LOOPBACK_AS_NUMBER), '127.1', '0.0.0.0'];
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const addresses = [
    ...hosts.map((host) => `http://${host}:${port}/feed.mp3`),
    `subsonic+http://127.0.0.1:${port}`,
    `s3+http://127.0.0.1:${port}/bucket`,
  ];
  return { addresses, caught, close };
};
