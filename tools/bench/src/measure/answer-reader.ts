const HEAD_END = '\r\n\r\n';
/** Most of a head is in so many bytes: the body behind it must not become text, too. */
const HEAD_BYTES = 2048;
const LINE_END = 10;
/** Each chunk is followed by an end of line. */
const CHUNK_END_BYTES = 2;

/** Reads HTTP/1.1 answers of one connection as they come, and keeps nothing of their bodies. */
export class AnswerReader {
  #part: 'head' | 'body' | 'chunk-size' | 'chunk' | 'trailer' = 'head';
  #text = '';
  /** Bytes of the body or the chunk that have not come yet. */
  #left = 0;
  status = 0;
  /** Bytes of the body so far. */
  bytes = 0;

  /** Forgets the last answer. */
  begin(): void {
    [this.#part, this.#text, this.#left, this.status, this.bytes] = ['head', '', 0, 0, 0];
  }

  /** Takes what has come; true at the end of the answer. @throws Error for an answer that says neither its length nor that it comes in chunks */
  take(data: Buffer): boolean {
    let from = 0;
    while (from < data.length || this.#isWhole()) {
      if (this.#isWhole()) return true;
      from = this.#part === 'head' ? this.#takeHead(data, from) : this.#takeBody(data, from);
    }
    return false;
  }

  #isWhole(): boolean {
    return this.#part === 'body' && this.#left === 0;
  }

  #takeHead(data: Buffer, from: number): number {
    const before = this.#text.length;
    const to = Math.min(data.length, from + HEAD_BYTES);
    this.#text += data.toString('latin1', from, to);
    const end = this.#text.indexOf(HEAD_END);
    if (end < 0) return to;
    const head = this.#text.slice(0, end);
    this.#text = '';
    this.status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) [this.#part, this.#left] = ['body', Number(length)];
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#part = 'chunk-size';
    else throw new Error(`an answer without length: ${head.slice(0, 200)}`);
    return from + end + HEAD_END.length - before;
  }

  #takeBody(data: Buffer, from: number): number {
    if (this.#part === 'chunk-size' || this.#part === 'trailer') return this.#takeLine(data, from);
    const count = Math.min(this.#left, data.length - from);
    this.#left -= count;
    this.bytes += count;
    if (this.#part === 'chunk' && this.#left === 0) {
      this.bytes -= CHUNK_END_BYTES;
      this.#part = 'chunk-size';
    }
    return from + count;
  }

  #takeLine(data: Buffer, from: number): number {
    const end = data.indexOf(LINE_END, from);
    this.#text += data.toString('latin1', from, end < 0 ? data.length : end);
    if (end < 0) return data.length;
    const line = this.#text.trim();
    this.#text = '';
    if (this.#part === 'trailer') {
      if (line === '') [this.#part, this.#left] = ['body', 0];
    } else {
      const size = Number.parseInt(line, 16);
      if (Number.isNaN(size)) throw new Error('a chunk without its size');
      if (size === 0) this.#part = 'trailer';
      else [this.#part, this.#left] = ['chunk', size + CHUNK_END_BYTES];
    }
    return end + 1;
  }
}
