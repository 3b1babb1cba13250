/** One operation of the NATS client protocol, as it stands in the stream of bytes. */
export interface NatsOperation {
  /** Such as `HPUB`. */
  readonly verb: string;
  /** Of a publication; empty otherwise. */
  readonly subject: string;
  readonly bytes: Buffer;
}

const EOL = Buffer.from('\r\n');

/** Cuts what a client sends into operations, whatever pieces it comes in. Source: the client protocol of NATS, `PUB` and `HPUB`. */
export class NatsOperations {
  #rest: Buffer = Buffer.alloc(0);

  /** The operations that are complete now. */
  push(chunk: Buffer): NatsOperation[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const found: NatsOperation[] = [];
    for (let next = this.#take(); next; next = this.#take()) found.push(next);
    return found;
  }

  #take(): NatsOperation | undefined {
    const end = this.#rest.indexOf(EOL);
    if (end < 0) return undefined;
    const words = this.#rest.toString('latin1', 0, end).split(/\s+/);
    const verb = (words[0] ?? '').toUpperCase();
    const isPublication = verb === 'PUB' || verb === 'HPUB';
    const payload = isPublication ? Number(words.at(-1)) + EOL.length : 0;
    const length = end + EOL.length + payload;
    if (this.#rest.length < length) return undefined;
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return { verb, subject: isPublication ? (words[1] ?? '') : '', bytes };
  }
}
