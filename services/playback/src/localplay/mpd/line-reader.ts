import type { Socket } from 'node:net';

interface Waiting {
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** Lines of MPD hold a name and a value. */
const LINE_LENGTH = 256 * 1024;

/** Reads a socket line by line. One reader asks at a time. */
export class LineReader {
  #rest = '';
  #bytes = 0;
  readonly #lines: string[] = [];
  #waiting: Waiting | undefined;
  #ended: Error | undefined;

  /** Ends the connection once the other side has sent more than `maxBytes`. */
  constructor(socket: Socket, maxBytes: number) {
    socket.setEncoding('utf8');
    socket.on('data', (chunk: Buffer | string) => {
      const text = String(chunk);
      this.#bytes += text.length;
      if (this.#bytes > maxBytes || this.#rest.length > LINE_LENGTH) socket.destroy(new Error('it says too much'));
      else this.#take(text);
    });
    socket.once('error', (error) => this.#end(error));
    socket.once('close', () => this.#end(new Error('it closed the connection')));
  }

  /** The next line, without its end. @throws Error when the connection ends before */
  next(): Promise<string> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #take(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n');
    this.#rest = parts.pop() ?? '';
    this.#lines.push(...parts);
    const waiting = this.#waiting;
    const line = waiting && this.#lines.shift();
    if (waiting === undefined || line === undefined) return;
    this.#waiting = undefined;
    waiting.resolve(line);
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#waiting?.reject(this.#ended);
    this.#waiting = undefined;
  }
}
