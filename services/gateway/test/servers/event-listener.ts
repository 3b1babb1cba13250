import type { PublicEvent } from '@continuo/contracts';

/** One event as a client reads it. */
export interface HeardEvent {
  readonly name: string;
  readonly id: string;
  readonly data: PublicEvent & { readonly reason?: string };
}

/** A client of an event stream, reading as the HTML standard says. For specs. */
export class EventListenerClient {
  readonly heard: HeardEvent[] = [];
  /** Id to come back with. */
  lastEventId = '';
  /** Signs of life between events. */
  comments = 0;
  isOver = false;
  #buffer = '';

  private constructor(
    readonly status: number,
    readonly headers: Headers,
    private readonly stop: AbortController,
  ) {}

  /** Opens a stream; what is no stream is over at once. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<EventListenerClient> {
    const stop = new AbortController();
    const response = await fetch(url, { headers, signal: stop.signal });
    const client = new EventListenerClient(response.status, response.headers, stop);
    if (response.status === 200 && response.body) void client.#read(response.body);
    else client.isOver = true;
    return client;
  }

  /** Everything but what the stream says of itself. */
  get events(): readonly PublicEvent[] {
    return this.heard.filter(({ name }) => !['ready', 'reset', 'behind', 'current', 'end'].includes(name)).map(({ data }) => data);
  }

  close(): void {
    this.stop.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) this.#take(decoder.decode(chunk, { stream: true }));
    } catch {
      // The connection broke, or was closed here.
    }
    this.isOver = true;
  }

  #take(text: string): void {
    this.#buffer += text;
    const blocks = this.#buffer.split('\n\n');
    this.#buffer = blocks.pop() ?? '';
    for (const block of blocks) this.#dispatch(block);
  }

  #dispatch(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
    );
    this.lastEventId = fields.get('id') ?? this.lastEventId;
    if (fields.has('')) this.comments += 1;
    const data = fields.get('data');
    if (data !== undefined)
      this.heard.push({ name: fields.get('event') ?? 'message', id: this.lastEventId, data: JSON.parse(data) as never });
  }
}
