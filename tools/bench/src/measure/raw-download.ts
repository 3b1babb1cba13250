import { connect } from 'node:net';

/** A download that costs the client as little as can be, so that the server is what is measured. */
export interface RawDownload {
  /** Bytes of the body. @throws Error when the connection breaks, or the status is not 200 */
  readonly done: Promise<number>;
  /** Bytes of the body so far. */
  received(): number;
  abort(): void;
}

/** Options of a raw download. */
export interface RawDownloadOptions {
  /** After so many bytes it reads no further, like a player whose buffer is full. */
  readonly stallAfterBytes?: number;
}

const BUFFER_BYTES = 256 * 1024;
/** One for all: nobody looks at what comes. */
const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
const HEAD_END = '\r\n\r\n';

interface Head {
  readonly bytes: number;
  readonly length: number;
}

const readHead = (text: string): Head | undefined => {
  const end = text.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, end));
  if (!text.startsWith('HTTP/1.1 200') || !length) throw new Error(`the server answered ${text.slice(0, 200)}`);
  return { bytes: end + HEAD_END.length, length: Number(length[1]) };
};

/** Fetches an address with a connection of its own. The answer must have a length. */
export const rawDownload = (url: URL, { stallAfterBytes = Number.POSITIVE_INFINITY }: RawDownloadOptions = {}): RawDownload => {
  let [received, text] = [0, ''];
  let head: Head | undefined;
  const { promise: done, resolve, reject } = Promise.withResolvers<number>();
  done.catch(() => undefined);
  const take = (count: number, bytes: Uint8Array): boolean => {
    received += count;
    if (!head) {
      text += Buffer.from(bytes.buffer, bytes.byteOffset, count).toString('latin1');
      head = readHead(text);
      if (head) received = Buffer.byteLength(text, 'latin1') - head.bytes;
    }
    if (head && received >= head.length) socket.destroy();
    return received < stallAfterBytes;
  };
  const onread = {
    buffer,
    callback: (count: number, bytes: Uint8Array): boolean => {
      try {
        return take(count, bytes);
      } catch (error) {
        socket.destroy(error as Error);
        return false;
      }
    },
  };
  const socket = connect({ host: url.hostname, port: Number(url.port), onread });
  socket.once('error', reject);
  socket.once('close', () => (head && received >= head.length ? resolve(received) : reject(new Error('the answer broke off'))));
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  return { done, received: () => received, abort: () => socket.destroy() };
};
